/** How a page's text is read. */
export type ContentKind = 'html' | 'markdown' | 'text'

/**
 * The kind of a content type, or undefined for one that is not read as text. Plain text under a `.md` address is
 * markdown. Without a content type the first bytes decide.
 */
export function contentKind(
  contentType: string | undefined,
  path: string,
  bytes: Uint8Array,
): ContentKind | undefined {
  const type = mediaType(contentType)
  if (type === undefined) return sniff(bytes, path)
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (type === 'text/markdown' || type === 'text/x-markdown') return 'markdown'
  if (type === 'text/plain') return isMarkdownPath(path) ? 'markdown' : 'text'
  if (/^(application|text)\/(json|xml)$|^application\/[\w.+-]+\+(json|xml)$/.test(type)) return 'text'
  return undefined
}

/** `text/html; charset=x` → `text/html`; undefined when there is none. */
function mediaType(contentType: string | undefined): string | undefined {
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  return type === undefined || type === '' ? undefined : type
}

/** What a content type says, for an error. A server can write anything there: only a well-formed type is repeated. */
export function describeContentType(contentType: string | undefined): string {
  const type = mediaType(contentType)
  if (type === undefined) return 'data without a content type'
  return /^[a-z]+\/[\w.+-]{1,60}$/.test(type) ? type : 'data with an ill-formed content type'
}

/** The charset of a content type header, if it names one. */
export function headerCharset(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1]
}

function sniff(bytes: Uint8Array, path: string): ContentKind | undefined {
  const head = bytes.subarray(0, 1024)
  if (head.includes(0)) return undefined
  const start = new TextDecoder('latin1').decode(head).trimStart().toLowerCase()
  if (/^<(!doctype html|html|head|body|!--)/.test(start)) return 'html'
  return isMarkdownPath(path) ? 'markdown' : 'text'
}

function isMarkdownPath(path: string): boolean {
  return /\.(md|markdown)$/i.test(path)
}
