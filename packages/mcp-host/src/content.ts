/** What `tools/call` answered, read leniently: an odd block must not lose an effect that has happened (C06). */
export interface CallResult {
  readonly content?: readonly unknown[] | undefined
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
  readonly _meta?: { readonly [key: string]: unknown } | undefined
}

/**
 * Turns a result's content blocks into text: text and text resources as they are, links as name and address, and for
 * what cannot be read (images, audio, binary, unknown types) a note with its size, so that nothing is lost silently.
 * Structured content counts when there is no text. Source of the rules: field reports F08, F09.
 */
export function readContent(result: CallResult): string {
  const blocks = (result.content ?? []).map(readBlock)
  const hasText = blocks.some(({ isText }) => isText)
  const structured =
    hasText || result.structuredContent === undefined ? [] : [JSON.stringify(result.structuredContent)]
  return [...blocks.map(({ text }) => text), ...structured].filter((text) => text !== '').join('\n')
}

interface ReadBlock {
  readonly text: string
  readonly isText: boolean
}

function readBlock(block: unknown): ReadBlock {
  if (!isRecord(block)) return note(`content that is not an object, ${sizeOf(block)}`)
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string'
        ? { text: block.text, isText: block.text.trim() !== '' }
        : unknown(block)
    case 'resource':
      return readResource(block)
    case 'resource_link':
      return readLink(block)
    case 'image':
    case 'audio':
      return note(`${block.type} ${label(block.mimeType)}, ${bytesOf(block.data)}, not shown`)
    default:
      return unknown(block)
  }
}

function readResource(block: Record<string, unknown>): ReadBlock {
  const resource = block.resource
  if (!isRecord(resource)) return unknown(block)
  const address = label(resource.uri)
  if (typeof resource.text === 'string') return { text: `[${address}]\n${resource.text}`, isText: true }
  return note(`binary resource ${address} ${label(resource.mimeType)}, ${bytesOf(resource.blob)}, not shown`)
}

function readLink(block: Record<string, unknown>): ReadBlock {
  const description = typeof block.description === 'string' ? ` – ${block.description}` : ''
  return {
    text: `[link] ${label(block.title ?? block.name)}: ${label(block.uri)}${description}`,
    isText: true,
  }
}

function unknown(block: Record<string, unknown>): ReadBlock {
  return note(
    `content of the unknown type ${JSON.stringify(block.type ?? null)}, ${sizeOf(block)}, not shown`,
  )
}

function note(text: string): ReadBlock {
  return { text: `[${text}]`, isText: false }
}

function label(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : '(unnamed)'
}

function bytesOf(base64: unknown): string {
  if (typeof base64 !== 'string') return 'no data'
  return `${Buffer.byteLength(base64, 'base64')} bytes`
}

function sizeOf(value: unknown): string {
  return `${(JSON.stringify(value) ?? '').length} characters of JSON`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
