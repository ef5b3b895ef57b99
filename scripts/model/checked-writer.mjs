import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { ModelFileError, writeError } from './model-file-error.mjs'

/**
 * Writes a file piece by piece next to its final place and computes its checksum on the way.
 * @typedef {object} CheckedWriter
 * @property {() => number} size bytes written so far, those of an earlier attempt included
 * @property {(chunk: Uint8Array) => Promise<void>} write
 * @property {() => Promise<void>} restart throws away what there is
 * @property {(expected: { path: string, sha256: string }) => Promise<void>} finish moves the file to its place; with
 *   a wrong checksum deletes it and throws `wrong-checksum`
 * @property {() => Promise<void>} close keeps what there is for another attempt
 */

/**
 * @param {string} partPath
 * @param {{ keepBytes: number }} options how much of an earlier attempt to keep; it is read again for the checksum
 * @returns {Promise<CheckedWriter>}
 */
export async function openCheckedWriter(partPath, { keepBytes }) {
  const file = await open(partPath, keepBytes > 0 ? 'r+' : 'w').catch((error) => {
    throw writeError(error, partPath)
  })
  let size = keepBytes
  let hash = createHash('sha256')
  if (keepBytes > 0) {
    await file.truncate(keepBytes)
    for await (const chunk of createReadStream(partPath, { end: keepBytes - 1 })) hash.update(chunk)
  }

  return {
    size: () => size,
    async write(chunk) {
      try {
        for (let offset = 0; offset < chunk.length; ) {
          const { bytesWritten } = await file.write(chunk, offset, chunk.length - offset, size + offset)
          offset += bytesWritten
        }
      } catch (error) {
        throw writeError(error, partPath)
      }
      hash.update(chunk)
      size += chunk.length
    },
    async restart() {
      await file.truncate(0)
      size = 0
      hash = createHash('sha256')
    },
    async finish({ path, sha256 }) {
      await file.sync()
      await file.close()
      const found = hash.digest('hex')
      if (found !== sha256) {
        await rm(partPath, { force: true })
        throw new ModelFileError(
          'wrong-checksum',
          `What came is not the published file (SHA-256 ${found}, not ${sha256}). It has been deleted.`,
        )
      }
      await rename(partPath, path)
    },
    close: () => file.close(),
  }
}

/**
 * SHA-256 of a file, as hex digits.
 * @param {string} path
 * @param {{ onProgress?: (bytes: number) => void, signal?: AbortSignal }} [options]
 */
export async function checksumOfFile(path, { onProgress, signal } = {}) {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path)) {
    signal?.throwIfAborted()
    hash.update(chunk)
    bytes += chunk.length
    onProgress?.(bytes)
  }
  return hash.digest('hex')
}
