/**
 * Bytes → text. The encoding comes from the byte order mark, else `charset` (an HTTP header), else a `<meta>` in
 * the first 1,024 bytes (HTML), else UTF-8; bytes that are not valid UTF-8 are then read as windows-1252, as
 * browsers do. An unknown label is ignored. A character cut off at the end is dropped.
 */
export function decodeText(bytes: Uint8Array, options: { charset?: string; html?: boolean } = {}): string {
  const declared =
    byteOrderMark(bytes) ?? known(options.charset) ?? (options.html ? metaCharset(bytes) : undefined)
  if (declared === 'windows-1252') return decodeWindows1252(bytes)
  if (declared !== undefined) return new TextDecoder(declared).decode(bytes, { stream: true })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return decodeWindows1252(bytes)
  }
}

// What the bytes 0x80–0x9F mean there. Node 20 decodes them as control characters, so that € and “ get lost.
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

function decodeWindows1252(bytes: Uint8Array): string {
  const text = new TextDecoder('windows-1252').decode(bytes)
  return text.replace(/[\u0080-\u009f]/g, (control) => windows1252[control.charCodeAt(0) - 0x80] ?? control)
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

function metaCharset(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024))
  const label = /<meta[^>]+charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(head)?.[1]
  // A page that could declare UTF-16 in ASCII letters is not UTF-16 (HTML standard, "prescan a byte stream").
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : known(label)
}

function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label.trim()).encoding
  } catch {
    return undefined
  }
}
