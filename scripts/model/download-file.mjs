import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCheckedWriter } from './checked-writer.mjs'
import { requireDiskSpace } from './disk-space.mjs'
import { withFileLock } from './file-lock.mjs'
import { ModelFileError, writeError } from './model-file-error.mjs'
import { openUrl } from './open-url.mjs'

/**
 * @typedef {object} DownloadOptions
 * @property {string} url
 * @property {string} path where the file goes; `<path>.part` and `<path>.part.json` hold an unfinished download
 * @property {number} bytes its published size
 * @property {string} sha256
 * @property {(received: number) => void} [onProgress] bytes that are there, those of an earlier attempt included
 * @property {AbortSignal} [signal] an abort keeps the part that came and throws the signal's reason
 * @property {number} [answerWithinMs] default 5000
 * @property {number} [stallLimitMs] the longest pause between two pieces, default 30000
 * @property {number} [attempts] how often a download that was cut off goes on by itself, default 4
 * @property {number} [retryAfterMs] default 1000
 */

/**
 * Downloads a file, or the rest of it: what an earlier attempt left is kept when the server still has the same file
 * and sends the missing range, else the download starts again. The file appears at `path` only whole and with the
 * right checksum. Throws a `ModelFileError`.
 * @param {DownloadOptions} options
 * @returns {Promise<void>}
 */
export async function downloadFile(options) {
  const { path, attempts = 4, retryAfterMs = 1000, signal } = options
  await withFileLock(path, async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await attemptDownload(options)
      } catch (error) {
        signal?.throwIfAborted()
        const again =
          error instanceof ModelFileError && (error.code === 'cut-off' || error.code === 'stalled')
        if (!again || attempt >= attempts) throw error
        await sleep(retryAfterMs, undefined, { signal }).catch(() => signal?.throwIfAborted())
      }
    }
  })
}

/** @param {DownloadOptions} options */
async function attemptDownload(options) {
  const { url, path, bytes, sha256, signal, answerWithinMs = 5000 } = options
  const part = `${path}.part`
  const earlier = await findPart(options)
  await requireDiskSpace(dirname(path), bytes - earlier.size)
  const writer = await openCheckedWriter(part, { keepBytes: earlier.size })
  let finished = false
  try {
    if (writer.size() < bytes) {
      const headers = rangeHeaders(writer.size(), earlier.etag)
      const response = await openUrl(url, { headers, answerWithinMs, signal })
      try {
        if (!continues(response, { from: writer.size(), bytes, etag: earlier.etag })) {
          if (response.statusCode !== 200) throw await refused(response, part)
          await writer.restart()
        }
        requireSize(response, bytes - writer.size())
        await rememberPart(part, { url, bytes, etag: response.headers.etag })
        await readBody(response, writer, options)
      } finally {
        response.destroy()
      }
    }
    finished = true
    await writer.finish({ path, sha256 })
  } finally {
    if (!finished) await writer.close()
    if (writer.size() === 0) await rm(part, { force: true })
    if (finished || writer.size() === 0) await rm(`${part}.json`, { force: true })
  }
}

/**
 * What an earlier attempt left, if it was the same download.
 * @param {DownloadOptions} options
 * @returns {Promise<{ size: number, etag?: string }>}
 */
async function findPart({ url, path, bytes }) {
  const part = `${path}.part`
  try {
    const { size } = await stat(part)
    const known = JSON.parse(await readFile(`${part}.json`, 'utf8'))
    if (known.url !== url || known.bytes !== bytes || size > bytes) return { size: 0 }
    return { size, etag: known.etag }
  } catch {
    return { size: 0 }
  }
}

/**
 * @param {string} part
 * @param {{ url: string, bytes: number, etag: string | undefined }} known
 */
async function rememberPart(part, known) {
  await writeFile(`${part}.json`, JSON.stringify(known)).catch((error) => {
    throw writeError(error, part)
  })
}

/**
 * @param {number} from
 * @param {string | undefined} etag
 * @returns {Record<string, string>}
 */
function rangeHeaders(from, etag) {
  if (from === 0) return {}
  // With If-Range a server whose file has changed sends the whole new one; it takes strong tags only.
  const unchanged = etag !== undefined && !etag.startsWith('W/') ? { 'if-range': etag } : undefined
  return { range: `bytes=${from}-`, ...unchanged }
}

/**
 * Whether an answer is the missing rest of the same file.
 * @param {import('node:http').IncomingMessage} response
 * @param {{ from: number, bytes: number, etag?: string }} expected
 */
function continues({ statusCode, headers }, { from, bytes, etag }) {
  if (statusCode !== 206 || from === 0) return false
  if (etag !== undefined && headers.etag !== undefined && headers.etag !== etag) return false
  return headers['content-range'] === `bytes ${from}-${bytes - 1}/${bytes}`
}

/**
 * @param {import('node:http').IncomingMessage} response
 * @param {string} part
 */
async function refused({ statusCode = 0, statusMessage = '' }, part) {
  if (statusCode !== 206 && statusCode !== 416) {
    return new ModelFileError(
      'http-status',
      `The server answered ${statusCode} ${statusMessage}.`.replace(' .', '.'),
    )
  }
  // A range of another file: forget the part, so that the next attempt starts again.
  await rm(`${part}.json`, { force: true })
  return new ModelFileError('cut-off', 'The server has another file now than when the download began.')
}

/**
 * Refuses a login page or a changed file before a gigabyte of it has come.
 * @param {import('node:http').IncomingMessage} response
 * @param {number} expected
 */
function requireSize({ headers }, expected) {
  const announced = headers['content-length']
  if (announced === undefined || Number(announced) === expected) return
  throw new ModelFileError(
    'unexpected-file',
    `The server offers ${announced} bytes where ${expected} were expected, so it is not the published file.`,
  )
}

/**
 * @param {import('node:http').IncomingMessage} response
 * @param {import('./checked-writer.mjs').CheckedWriter} writer
 * @param {DownloadOptions} options
 */
async function readBody(response, writer, { bytes, onProgress, signal, stallLimitMs = 30_000 }) {
  const stalled = new ModelFileError(
    'stalled',
    `The server sent nothing for ${stallLimitMs / 1000} seconds. Start again to go on where it stopped.`,
  )
  let timer = setTimeout(() => response.destroy(stalled), stallLimitMs)
  const abort = () => response.destroy()
  signal?.addEventListener('abort', abort)
  try {
    for await (const chunk of response) {
      clearTimeout(timer)
      signal?.throwIfAborted()
      await writer.write(chunk)
      onProgress?.(writer.size())
      if (writer.size() > bytes) {
        await writer.restart()
        throw new ModelFileError('unexpected-file', `The server sent more than the expected ${bytes} bytes.`)
      }
      timer = setTimeout(() => response.destroy(stalled), stallLimitMs)
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof ModelFileError) throw error
    throw cutOff(writer.size(), bytes, error)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  if (writer.size() < bytes) throw cutOff(writer.size(), bytes)
}

/**
 * @param {number} size
 * @param {number} bytes
 * @param {unknown} [cause]
 */
function cutOff(size, bytes, cause) {
  return new ModelFileError(
    'cut-off',
    `The download ended after ${size} of ${bytes} bytes. Start again to go on from there.`,
    { cause },
  )
}
