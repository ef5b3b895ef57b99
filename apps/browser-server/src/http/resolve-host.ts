import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { BrowserServerError } from '../errors.js'
import { isPublicAddress } from './public-address.js'

export interface HostAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Name → addresses. Throws the resolver's error. */
export type ResolveName = (hostname: string) => Promise<readonly HostAddress[]>

export interface HostRules {
  /**
   * Hosts that may be read although they are not public, as an address writes them: `localhost`, `127.0.0.1`,
   * `[::1]`, or with a port, `wiki.local:8080`.
   */
  readonly allowedHosts: readonly string[]
  readonly resolveName: ResolveName
}

/** Asks the system's resolver (hosts file included). */
export const systemResolveName: ResolveName = async (hostname) => {
  const addresses = await lookup(hostname, { all: true, verbatim: true })
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/**
 * The addresses that a request to `url` may connect to: those of its host that are public, or all of them for an
 * allowed host. The caller must connect to these and ask no resolver again, or a name could change its address
 * between check and connection (field report G09).
 * Throws `browser/address-refused` when none is left, `browser/unreachable` when the name is not known.
 */
export async function resolveHost(url: URL, rules: HostRules): Promise<readonly HostAddress[]> {
  const host = withoutDot(url.hostname.replace(/^\[|\]$/g, ''))
  const allowed = isAllowed(url, rules.allowedHosts)
  // Reserved for this machine whatever a resolver says (RFC 6761).
  if (!allowed && /^(.+\.)?localhost$/.test(host)) throw refused(url)
  const addresses = await addressesOf(host, url, rules)
  const usable = allowed ? addresses : addresses.filter(({ address }) => isPublicAddress(address))
  if (usable.length === 0) throw refused(url)
  return usable
}

async function addressesOf(host: string, url: URL, rules: HostRules): Promise<readonly HostAddress[]> {
  const version = isIP(host)
  return version === 4 || version === 6 ? [{ address: host, family: version }] : await namedHost(url, rules)
}

function refused(url: URL): BrowserServerError {
  return new BrowserServerError({
    code: 'browser/address-refused',
    what: `${url.href} was not read.`,
    why: `"${url.hostname}" is not on the public internet; this machine, its network and cloud metadata are closed to page readers.`,
    instead: 'Use an address from the search results.',
    details: { host: url.hostname },
  })
}

async function namedHost(url: URL, { resolveName }: HostRules): Promise<readonly HostAddress[]> {
  try {
    return await resolveName(url.hostname)
  } catch (error) {
    throw new BrowserServerError(
      {
        code: 'browser/unreachable',
        what: `${url.href} was not read.`,
        why: `No server is known under the name "${url.hostname}".`,
        instead: 'Copy an address exactly from a search result or a page; do not make one up.',
        details: { host: url.hostname },
      },
      { cause: error },
    )
  }
}

function isAllowed(url: URL, allowedHosts: readonly string[]): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const bare = withoutDot(url.hostname)
  return allowedHosts.some((allowed) => {
    const entry = withoutDot(allowed.trim().toLowerCase())
    return entry === bare || entry === `${bare}:${port}`
  })
}

function withoutDot(host: string): string {
  return host.replace(/\.(?=$|:\d+$)/, '')
}
