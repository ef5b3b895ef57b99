import { isUtf8 } from 'node:buffer'

/** A file's text, or that it is none. */
export type DecodedText =
  | {
      readonly kind: 'text'
      readonly text: string
      /** The first line with bytes that are not UTF-8; they read as U+FFFD. Counts from 1. */
      readonly brokenLine?: number
    }
  | { readonly kind: 'binary' }

/**
 * Bytes as text: UTF-8, or UTF-16 of either byte order when it begins with a byte order mark. A NUL in the result
 * means that the file is no text (images, archives, UTF-16 without a mark). The mark of UTF-8 is kept.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const wide = utf16Of(bytes)
  const text = wide
    ? new TextDecoder(wide).decode(bytes)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  if (text.includes('\0')) return { kind: 'binary' }
  if (wide || isUtf8(bytes)) return { kind: 'text', text }
  const before = text.slice(0, Math.max(0, text.indexOf('\uFFFD')))
  return { kind: 'text', text, brokenLine: before.split(/\r\n|\n|\r/).length }
}

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}
