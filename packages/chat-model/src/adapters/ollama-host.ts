import { ChatModelError } from '../errors.js'

/**
 * Turns any form of an Ollama address into a URL without a trailing slash.
 *
 * Undefined or empty: `OLLAMA_HOST`, else `http://127.0.0.1:11434`. The port is 11434 unless one is written (also
 * after `http://`, where clients otherwise take 80; `https://` keeps 443). The bind addresses `0.0.0.0` and `::`
 * become 127.0.0.1, and so does `localhost`, which may resolve to ::1 where nothing listens (field report A10).
 * Throws `chat/bad-option` when it is no address.
 */
export function normalizeOllamaHost(host?: string): URL {
  const given = clean(host) || clean(process.env.OLLAMA_HOST) || '127.0.0.1'
  const [, scheme = 'http', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/i.exec(given) ?? []
  const authority = rest.split(/[/?#]/, 1)[0] ?? ''
  const path = rest.slice(authority.length)
  const address = bracketed(
    authority.startsWith(':') && !authority.startsWith('::') ? `127.0.0.1${authority}` : authority,
  )
  const portWritten = /:\d+$/.test(address.replace(/^.*\]/, ''))
  const withPort =
    portWritten || scheme.toLowerCase() === 'https' ? address : `${address.replace(/:$/, '')}:11434`
  const url = URL.canParse(`${scheme}://${withPort}${path}`)
    ? new URL(`${scheme}://${withPort}${path}`)
    : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    throw badHost(given)
  if (loopbackNames.has(url.hostname)) url.hostname = '127.0.0.1'
  url.pathname = url.pathname.replace(/\/+$/, '')
  url.search = ''
  url.hash = ''
  return url
}

/** The URL of one endpoint, below a path prefix if the host has one. */
export function ollamaEndpoint(host: URL, path: string): URL {
  const url = new URL(host)
  url.pathname = `${host.pathname.replace(/\/+$/, '')}${path}`
  return url
}

const loopbackNames = new Set(['localhost', '0.0.0.0', '[::]'])

function clean(value: string | undefined): string {
  return (value ?? '')
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim()
}

/** A bare IPv6 address (two colons or more) needs brackets before a port can follow. */
function bracketed(authority: string): string {
  if (authority.includes('[') || authority.includes('@')) return authority
  return authority.split(':').length > 2 ? `[${authority}]` : authority
}

function badHost(given: string): ChatModelError {
  return new ChatModelError({
    code: 'chat/bad-option',
    what: `The Ollama host ${JSON.stringify(given)} is not an address.`,
    why: 'A host is a name or IP address, with or without http(s):// and a port.',
    instead: 'Write it like 127.0.0.1:11434 or http://server:11434 (option host or OLLAMA_HOST).',
  })
}
