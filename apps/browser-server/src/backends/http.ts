import { decodeText } from '@icm/documents'
import { answerPage, type FetchedAnswer, maxPageBytes } from '../http/answer-page.js'
import { decompress } from '../http/decompress.js'
import { refusedTarget, timedOut, tooManyRedirects, wrongContent } from '../http/page-errors.js'
import { type HttpAnswer, requestOnce } from '../http/request-once.js'
import { type HostRules, type ResolveName, resolveHost, systemResolveName } from '../http/resolve-host.js'
import { transportError } from '../http/transport-error.js'
import type { PageBackend } from '../types.js'

const maxRedirects = 5
const redirectStatuses = new Set([301, 302, 303, 307, 308])

export interface HttpBackendOptions {
  /** Hosts that may be read although they are not public (`HostRules`). Default none. */
  readonly allowedHosts?: readonly string[]
  /** For one page with all its redirects. Default 20,000. */
  readonly timeoutMs?: number
  /** Sent as User-Agent: sites are told who reads. */
  readonly userAgent: string
  /** Default: the system's resolver. */
  readonly resolveName?: ResolveName
}

/**
 * Reads pages with plain HTTP requests and no browser: scripts do not run, nothing is remembered between pages.
 * Redirects are followed by hand, at most five, each checked like the first address; at most 2 MB of a page are read.
 */
export function createHttpBackend(options: HttpBackendOptions): PageBackend {
  const rules: HostRules = {
    allowedHosts: options.allowedHosts ?? [],
    resolveName: options.resolveName ?? systemResolveName,
  }
  const timeoutMs = options.timeoutMs ?? 20_000
  return {
    open: async (url, { signal }) => {
      signal.throwIfAborted()
      const limit = AbortSignal.timeout(timeoutMs)
      const request = { rules, userAgent: options.userAgent, signal: AbortSignal.any([signal, limit]) }
      try {
        return answerPage(await orAborted(fetchAnswer(url, request), request.signal))
      } catch (error) {
        signal.throwIfAborted()
        throw limit.aborted ? timedOut(url, timeoutMs, error) : error
      }
    },
  }
}

interface RequestContext {
  readonly rules: HostRules
  readonly userAgent: string
  readonly signal: AbortSignal
}

async function fetchAnswer(asked: URL, context: RequestContext): Promise<FetchedAnswer> {
  const seen: string[] = []
  let url = asked
  for (;;) {
    seen.push(url.href)
    const answer = await fetchOnce(url, context)
    const location = redirectStatuses.has(answer.status) ? answer.headers.location : undefined
    if (location === undefined) return { asked, url, ...(await readAnswer(url, answer)) }
    if (seen.length > maxRedirects) throw tooManyRedirects(seen)
    url = redirectTarget(url, location)
  }
}

async function fetchOnce(url: URL, { rules, userAgent, signal }: RequestContext): Promise<HttpAnswer> {
  if (url.username !== '' || url.password !== '')
    throw refusedTarget(url, 'It holds a user name or a password.')
  const addresses = await resolveHost(url, rules)
  const headers = {
    'user-agent': userAgent,
    accept:
      'text/html, application/xhtml+xml, text/markdown, text/plain, application/json, application/xml;q=0.9, */*;q=0.1',
    'accept-encoding': 'gzip, deflate, br',
  }
  try {
    return await requestOnce(url, { addresses, headers, maxBytes: maxPageBytes, signal })
  } catch (error) {
    throw transportError(url, error)
  }
}

function redirectTarget(from: URL, header: string): URL {
  // Headers are read as Latin-1; sites write UTF-8 there, as browsers take it.
  const location = decodeText(Buffer.from(header, 'latin1'))
  if (!URL.canParse(location, from.href)) {
    throw refusedTarget(from, 'It redirects to something that is no address.')
  }
  const target = new URL(location, from.href)
  if (target.protocol === 'http:' || target.protocol === 'https:') return target
  throw refusedTarget(from, `It redirects to a ${target.protocol} address; only http and https are read.`)
}

async function readAnswer(url: URL, answer: HttpAnswer): Promise<Omit<FetchedAnswer, 'asked' | 'url'>> {
  const encodings = answer.headers['content-encoding'] ?? ''
  const decoded = await decompress(answer.body, encodings, maxPageBytes).catch((error: unknown) => {
    throw transportError(url, error)
  })
  if (decoded === undefined) throw wrongContent(url, 'compressed in a way that is not known here')
  const { status, headers, cut } = answer
  return { status, headers, bytes: decoded.bytes, cut: cut || decoded.cut }
}

/** Rejects at once when the signal fires, also while the system resolves a name, which cannot be stopped. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
