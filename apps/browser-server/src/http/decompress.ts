import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'

export interface Decompressed {
  readonly bytes: Buffer
  /** There was more than `maxBytes`. */
  readonly cut: boolean
}

/**
 * Undoes the content encodings that an HTTP header lists (gzip, deflate, br), at most `maxBytes` of the result, so
 * that a small answer cannot fill the memory. A compressed text that ends early gives what it has.
 * Undefined for an encoding that is not known. Throws zlib's error for damaged data.
 */
export async function decompress(
  body: Buffer,
  encodings: string,
  maxBytes: number,
): Promise<Decompressed | undefined> {
  let result: Decompressed = { bytes: body, cut: false }
  const names = encodings.split(',').map((name) => name.trim().toLowerCase())
  for (const name of names.reverse()) {
    if (name === '' || name === 'identity') continue
    const decoder = decoderFor(name, result.bytes)
    if (decoder === undefined) return undefined
    const decoded = await readAll(decoder, result.bytes, maxBytes)
    result = { bytes: decoded.bytes, cut: result.cut || decoded.cut }
  }
  return result
}

function decoderFor(name: string, bytes: Buffer): Transform | undefined {
  const zlib = { finishFlush: constants.Z_SYNC_FLUSH }
  if (name === 'gzip' || name === 'x-gzip') return createGunzip(zlib)
  if (name === 'br') return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
  // Some servers send "deflate" without its two-byte header, whose first half byte is an 8.
  if (name === 'deflate') return ((bytes[0] ?? 0) & 0x0f) === 8 ? createInflate(zlib) : createInflateRaw(zlib)
  return undefined
}

async function readAll(decoder: Transform, bytes: Buffer, maxBytes: number): Promise<Decompressed> {
  if (bytes.length === 0) return { bytes, cut: false }
  const chunks: Buffer[] = []
  let size = 0
  decoder.end(bytes)
  for await (const chunk of decoder) {
    const part: Buffer = chunk
    if (size + part.length > maxBytes) {
      chunks.push(part.subarray(0, maxBytes - size))
      return { bytes: Buffer.concat(chunks), cut: true }
    }
    chunks.push(part)
    size += part.length
  }
  return { bytes: Buffer.concat(chunks), cut: false }
}
