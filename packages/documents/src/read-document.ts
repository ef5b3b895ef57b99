import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { decodeText } from './decode-text.js'

/** The bytes of a document that are read; what comes behind is left out and said. */
export const maxDocumentBytes = 2_000_000

/**
 * The text of the file at `path` (absolute and already resolved), at most its first `maxDocumentBytes` bytes.
 * `cut` tells that there was more. Throws the system's error; a link put there meanwhile is not followed.
 */
export async function readDocument(path: string): Promise<{ readonly text: string; readonly cut: boolean }> {
  // Not blocking: opening a pipe that nobody writes to would wait for ever.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const file = await open(path, flags)
  try {
    const status = await file.stat()
    if (!status.isFile()) return { text: '', cut: false }
    const buffer = Buffer.alloc(Math.min(status.size, maxDocumentBytes))
    let filled = 0
    while (filled < buffer.length) {
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    const text = decodeText(buffer.subarray(0, filled), { html: /\.html?$/i.test(path) })
    return { text, cut: status.size > maxDocumentBytes }
  } finally {
    await file.close()
  }
}
