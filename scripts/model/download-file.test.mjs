import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { downloadFile } from './download-file.mjs'

const content = randomBytes(300_000)
const sha256 = createHash('sha256').update(content).digest('hex')

/** @type {string} */
let folder
/** @type {string} */
let path
/** @type {import('node:http').Server} */
let server
/** @type {string} */
let url
/** What the server got, as `<path> <range>`. @type {string[]} */
let requests
/** @type {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => void} */
let handler

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'download-'))
  path = join(folder, 'model.gguf')
  requests = []
  handler = serve()
  server = createServer((request, response) => {
    requests.push(`${request.url} ${request.headers.range ?? 'whole'}`)
    handler(request, response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/model.gguf`
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

/**
 * Serves a file with ranges.
 * @param {{ body?: Buffer, etag?: string, cutAfter?: number, ranges?: boolean }} [options] `cutAfter`: bytes of the
 *   body after which the connection breaks
 * @returns {typeof handler}
 */
function serve({ body = content, etag = '"first"', cutAfter, ranges = true } = {}) {
  return (request, response) => {
    const unchanged = request.headers['if-range'] === undefined || request.headers['if-range'] === etag
    const from =
      ranges && unchanged ? Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0) : 0
    const rest = body.subarray(from)
    response.writeHead(from > 0 ? 206 : 200, {
      etag,
      'content-length': rest.length,
      ...(from > 0 && { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` }),
    })
    if (cutAfter === undefined) response.end(rest)
    else response.write(rest.subarray(0, cutAfter), () => setImmediate(() => response.destroy()))
  }
}

/** @param {Partial<Parameters<typeof downloadFile>[0]>} [options] */
function download(options) {
  return downloadFile({ url, path, bytes: content.length, sha256, attempts: 1, retryAfterMs: 1, ...options })
}

function partSize() {
  return readFileSync(`${path}.part`).length
}

describe('a whole download', () => {
  it('leaves the file and nothing else, and reports growing progress', async () => {
    /** @type {number[]} */
    const progress = []
    await download({ onProgress: (received) => progress.push(received) })
    expect(readFileSync(path).equals(content)).toBe(true)
    expect(readdirSync(folder)).toEqual(['model.gguf'])
    expect(progress.at(-1)).toBe(content.length)
    expect(progress).toEqual([...progress].sort((left, right) => left - right))
  })

  it('follows redirects, also relative ones, and stops when there is no end of them', async () => {
    handler = (request, response) => {
      if (request.url === '/model.gguf') response.writeHead(302, { location: '/cdn/file?key=1' }).end()
      else serve()(request, response)
    }
    await download()
    expect(requests).toEqual(['/model.gguf whole', '/cdn/file?key=1 whole'])
    handler = (_, response) => response.writeHead(307, { location: url }).end()
    await expect(download({ path: join(folder, 'other') })).rejects.toMatchObject({ code: 'http-status' })
  })
})

describe('a download that was cut off', () => {
  it('goes on by itself where it stopped', async () => {
    let count = 0
    handler = (request, response) => serve(count++ === 0 ? { cutAfter: 100_000 } : {})(request, response)
    await download({ attempts: 2 })
    expect(readFileSync(path).equals(content)).toBe(true)
    expect(requests).toHaveLength(2)
    expect(requests[1]).toMatch(/^\/model\.gguf bytes=[1-9]\d*-$/)
  })

  it('keeps its part for the next start, which asks only for the rest', async () => {
    handler = serve({ cutAfter: 100_000 })
    await expect(download()).rejects.toMatchObject({ code: 'cut-off' })
    expect(existsSync(path)).toBe(false)
    const size = partSize()
    expect(size).toBeGreaterThan(0)
    handler = serve()
    await download()
    expect(requests).toEqual(['/model.gguf whole', `/model.gguf bytes=${size}-`])
    expect(readFileSync(path).equals(content)).toBe(true)
  })

  it('starts again where the server ignores the range', async () => {
    handler = serve({ cutAfter: 100_000 })
    await expect(download()).rejects.toMatchObject({ code: 'cut-off' })
    handler = serve({ ranges: false })
    await download()
    expect(readFileSync(path).equals(content)).toBe(true)
  })

  it('starts again where the server has another file now', async () => {
    handler = serve({ cutAfter: 100_000, body: randomBytes(content.length), etag: '"old"' })
    await expect(download()).rejects.toMatchObject({ code: 'cut-off' })
    handler = serve({ etag: '"new"' })
    await download()
    expect(readFileSync(path).equals(content)).toBe(true)
  })

  it('starts again where a range comes from another file, though If-Range was not understood', async () => {
    handler = serve({ cutAfter: 100_000, body: randomBytes(content.length), etag: '"old"' })
    await expect(download()).rejects.toMatchObject({ code: 'cut-off' })
    handler = (request, response) => {
      delete request.headers['if-range']
      serve({ etag: '"new"' })(request, response)
    }
    await download({ attempts: 2 })
    expect(readFileSync(path).equals(content)).toBe(true)
  })
})

describe('a bad answer', () => {
  it('with a wrong checksum is deleted', async () => {
    handler = serve({ body: randomBytes(content.length) })
    await expect(download()).rejects.toMatchObject({ code: 'wrong-checksum' })
    expect(readdirSync(folder)).toEqual([])
  })

  it('of another size is refused before its body is read', async () => {
    handler = serve({ body: Buffer.from('<html>Please log in.</html>') })
    await expect(download()).rejects.toMatchObject({ code: 'unexpected-file' })
    handler = (_, response) => {
      response.writeHead(200, { 'transfer-encoding': 'chunked' })
      response.end(Buffer.concat([content, content]))
    }
    await expect(download()).rejects.toMatchObject({ code: 'unexpected-file' })
    expect(existsSync(path)).toBe(false)
  })

  it('such as 404 names the status, and is not tried again', async () => {
    handler = (_, response) => response.writeHead(404).end()
    const failed = download({ attempts: 3 })
    await expect(failed).rejects.toMatchObject({ code: 'http-status' })
    await expect(failed).rejects.toThrow('404 Not Found')
    expect(requests).toHaveLength(1)
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('a silent server', () => {
  it('that never answers is given up after the limit', async () => {
    handler = () => {}
    const failed = download({ answerWithinMs: 100 })
    await expect(failed).rejects.toMatchObject({ code: 'hub-unreachable' })
    await expect(failed).rejects.toThrow('no answer within 0.1 seconds')
  })

  it('that cannot be reached is named with the reason', async () => {
    await new Promise((resolve) => server.close(resolve))
    await expect(download()).rejects.toThrow(/127\.0\.0\.1:\d+ was not reached: .*ECONNREFUSED/)
  })

  it('that stops in the middle is given up after the limit, and its part is kept', async () => {
    handler = (_, response) => {
      response.writeHead(200, { 'content-length': content.length, etag: '"first"' })
      response.write(content.subarray(0, 50_000))
    }
    await expect(download({ stallLimitMs: 150 })).rejects.toMatchObject({ code: 'stalled' })
    expect(partSize()).toBe(50_000)
  })
})

describe('an abort', () => {
  it('throws its reason and keeps the part', async () => {
    const reason = { why: 'enough' }
    const controller = new AbortController()
    handler = (_, response) => {
      response.writeHead(200, { 'content-length': content.length, etag: '"first"' })
      response.write(content.subarray(0, 50_000))
    }
    const aborted = download({ signal: controller.signal, onProgress: () => controller.abort(reason) })
    await expect(aborted).rejects.toBe(reason)
    expect(partSize()).toBeGreaterThan(0)
    handler = serve()
    await download()
    expect(readFileSync(path).equals(content)).toBe(true)
  })

  it('also ends the wait for an answer and the wait before another attempt', async () => {
    const reason = new Error('enough')
    const controller = new AbortController()
    handler = () => controller.abort(reason)
    await expect(download({ signal: controller.signal })).rejects.toBe(reason)
    const second = new AbortController()
    handler = (request, response) => {
      serve({ cutAfter: 1000 })(request, response)
      response.once('close', () => setTimeout(() => second.abort(reason), 20))
    }
    await expect(download({ signal: second.signal, attempts: 9, retryAfterMs: 60_000 })).rejects.toBe(reason)
  })
})

describe('two downloads of one file', () => {
  it('do not run at once; a lock that a dead process left does not count', async () => {
    const first = download()
    const second = download()
    const results = await Promise.allSettled([first, second])
    const failed = results.find((result) => result.status === 'rejected')
    expect(failed).toMatchObject({ reason: { code: 'busy' } })
    expect(readFileSync(path).equals(content)).toBe(true)

    writeFileSync(`${path}.lock`, '999999999')
    await download()
    expect(readdirSync(folder)).toEqual(['model.gguf'])
  })
})
