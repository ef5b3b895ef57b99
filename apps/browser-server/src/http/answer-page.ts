import type { IncomingHttpHeaders } from 'node:http'
import { decodeText, parseHtml, removeChrome } from '@icm/documents'
import { htmlPage } from '../page/html-page.js'
import { markdownPage, textPage } from '../page/text-page.js'
import type { Page } from '../types.js'
import { blockedReason } from './blocked-page.js'
import { contentKind, describeContentType, headerCharset } from './content-kind.js'
import { blocked, emptyPage, notThere, wrongContent } from './page-errors.js'

/** The bytes of a page that are read. */
export const maxPageBytes = 2_000_000

/** The answer that ended a chain of redirects. */
export interface FetchedAnswer {
  readonly asked: URL
  /** Where it came from in the end. */
  readonly url: URL
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Decompressed, at most `maxPageBytes`. */
  readonly bytes: Buffer
  readonly cut: boolean
}

/**
 * An answer as a page. Throws `browser/not-found` (404, 410), `browser/blocked` for a wall or an error page,
 * `browser/content-type` for what is no text, `browser/empty-page`.
 */
export function answerPage({ asked, url, status, headers, bytes, cut }: FetchedAnswer): Page {
  const type = headers['content-type']
  const kind = contentKind(type, url.pathname, bytes)
  const text =
    kind === undefined ? '' : decodeText(bytes, { charset: headerCharset(type), html: kind === 'html' })
  if (status === 404 || status === 410) throw notThere(url, status)
  const suspect = kind === 'html' ? describeHtml(text) : { title: '', text, hasPasswordField: false }
  const reason = kind === 'html' || status >= 400 ? blockedReason({ status, headers, ...suspect }) : undefined
  if (reason !== undefined) throw blocked(url, reason, headers)
  if (status < 200 || status >= 300) throw wrongContent(url, `an answer with status ${status} and no page`)
  if (kind === undefined) throw wrongContent(url, describeContentType(type))
  if (suspect.text.trim() === '') throw emptyPage(url, kind)
  const notes = [
    ...(asked.href === url.href ? [] : [`${asked.href} redirected here.`]),
    ...(cut
      ? [`The page is larger than ${maxPageBytes / 1_000_000} MB; what comes behind was not read.`]
      : []),
  ]
  const source = { address: withoutFragment(url), text, notes }
  return kind === 'html' ? htmlPage(source) : kind === 'markdown' ? markdownPage(source) : textPage(source)
}

function describeHtml(html: string): { title: string; text: string; hasPasswordField: boolean } {
  const document = parseHtml(html)
  const hasPasswordField = document.querySelector('input[type="password" i]') !== null
  const content = removeChrome(document)
  // The <title> is what walls set; a heading may be the site's name.
  const title = `${document.querySelector('title')?.textContent ?? ''}`.trim()
  const heading = `${document.querySelector('h1')?.textContent ?? ''}`.trim()
  return { title: title || heading, text: (content.textContent ?? '').replace(/\s+/g, ' '), hasPasswordField }
}

function withoutFragment(url: URL): string {
  const bare = new URL(url)
  bare.hash = ''
  return bare.href
}
