import type { IncomingHttpHeaders } from 'node:http'
import { BrowserServerError } from '../errors.js'
import type { ContentKind } from './content-kind.js'

/** The page did not come within the time limit. */
export function timedOut(url: URL, timeoutMs: number, cause: unknown): BrowserServerError {
  return new BrowserServerError(
    {
      code: 'browser/timed-out',
      what: `${url.href} was not read.`,
      why: `"${url.host}" did not send the page within ${timeoutMs / 1000} seconds.`,
      instead: 'Read another search result on the same subject.',
      retryable: true,
    },
    { cause },
  )
}

/** `seen`: every address of the chain, the first one first. */
export function tooManyRedirects(seen: readonly string[]): BrowserServerError {
  return new BrowserServerError({
    code: 'browser/too-many-redirects',
    what: `${seen[0]} was not read.`,
    why: `It redirected ${seen.length} times, at last to ${new URL(seen.at(-1) ?? '').host}.`,
    instead: 'Read another search result on the same subject.',
    details: { redirects: [...seen] },
  })
}

/** The address itself is not acceptable. A user name and password in it are not repeated. */
export function refusedTarget(url: URL, why: string): BrowserServerError {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return new BrowserServerError({
    code: 'browser/address-refused',
    what: `${shown.href} was not read.`,
    why,
    instead: 'Use an address from the search results.',
  })
}

/** `found`: what came instead of a readable page. */
export function wrongContent(url: URL, found: string): BrowserServerError {
  return new BrowserServerError({
    code: 'browser/content-type',
    what: `${url.href} was not read: it is ${found}.`,
    why: 'Only HTML, markdown, plain text, JSON and XML are read.',
    instead: 'Read a web page on the same subject instead.',
    details: { found },
  })
}

/** 404 and 410. */
export function notThere(url: URL, status: number): BrowserServerError {
  return new BrowserServerError({
    code: 'browser/not-found',
    what: `${url.href} was not read.`,
    why: `"${url.host}" has no such page (status ${status}).`,
    instead: 'Copy an address exactly from a search result or a page; do not make one up.',
    details: { status },
  })
}

/** A wall instead of a page; `reason` is the end of a sentence that begins with the host. */
export function blocked(url: URL, reason: string, headers: IncomingHttpHeaders): BrowserServerError {
  const seconds = Number(headers['retry-after'])
  const wait = Number.isFinite(seconds) && seconds > 0 ? ` It asks to wait ${seconds} seconds.` : ''
  return new BrowserServerError({
    code: 'browser/blocked',
    what: `${url.href} was blocked: there is no page to read.`,
    why: `"${url.host}" ${reason}.${wait}`,
    instead: `Read a search result from another site than ${url.hostname}.`,
    details: { host: url.hostname },
  })
}

/** A page without any text. */
export function emptyPage(url: URL, kind: ContentKind): BrowserServerError {
  return new BrowserServerError({
    code: 'browser/empty-page',
    what: `${url.href} holds no text.`,
    why:
      kind === 'html'
        ? 'It is built by scripts, which do not run here, or it shows only images.'
        : 'The file is empty.',
    instead: 'Read another search result on the same subject.',
  })
}
