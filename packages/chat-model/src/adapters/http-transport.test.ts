import { getEventListeners, once } from 'node:events'
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { openResponse, type TransportRequest, type TransportResponse } from './http-transport.js'

const server = { name: 'The server', startHint: 'Start it.' }
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

async function listen(listener: Server): Promise<URL> {
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  return new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/x`)
}

async function serve(handler: RequestListener): Promise<URL> {
  const http = createServer(handler)
  cleanups.push(() => {
    http.close()
    http.closeAllConnections()
  })
  return listen(http)
}

/** Accepts connections and never says a word. */
async function serveSilence(): Promise<URL> {
  const sockets = new Set<Socket>()
  const tcp = createTcpServer((socket) => sockets.add(socket.on('error', () => undefined)))
  cleanups.push(() => {
    tcp.close()
    for (const socket of sockets) socket.destroy()
  })
  return listen(tcp)
}

function get(url: URL, rest: Partial<TransportRequest> = {}): Promise<TransportResponse> {
  return openResponse({ url, method: 'GET', server, ...rest })
}

async function read(response: TransportResponse): Promise<string[]> {
  const parts: string[] = []
  for await (const chunk of response.chunks) parts.push(Buffer.from(chunk).toString())
  return parts
}

describe('openResponse', () => {
  it('sends method, headers and body, and returns status and text whatever the status', async () => {
    const url = await serve(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      const { method, headers } = request
      response
        .writeHead(418)
        .end(JSON.stringify({ method, type: headers['content-type'], own: headers['x-own'], body }))
    })
    const response = await get(url, { method: 'POST', body: '{"ä":1}', headers: { 'x-own': 'y' } })
    expect(response.status).toBe(418)
    expect(JSON.parse(await response.text())).toEqual({
      method: 'POST',
      type: 'application/json',
      own: 'y',
      body: '{"ä":1}',
    })
  })

  it('closes the connection when the loop is left', async () => {
    const closed = deferred()
    const url = await serve((_, response) => {
      response.write('one')
      response.once('close', closed.resolve)
    })
    for await (const _ of (await get(url)).chunks) break
    await closed.promise
  })

  it('does not count the time that the consumer takes', async () => {
    const url = await serve((_, response) => response.write('a', () => setImmediate(() => response.end('b'))))
    const response = await get(url, { limits: { idleTimeoutMs: 60 } })
    const parts: string[] = []
    for await (const chunk of response.chunks) {
      parts.push(Buffer.from(chunk).toString())
      await wait(150)
    }
    expect(parts.join('')).toBe('ab')
  })
})

describe('connections', () => {
  /** Counts connections; every answer is as long as its path says. */
  async function counting(): Promise<{ url: URL; count: () => number; http: HttpServer }> {
    let connections = 0
    const http = createServer((_, response) => {
      response.write('one\n')
      response.end()
    })
    http.on('connection', () => connections++)
    cleanups.push(() => {
      http.close()
      http.closeAllConnections()
    })
    return { url: await listen(http), count: () => connections, http }
  }

  it('one is used for calls one after another, also when the reader stops at the answer’s own end', async () => {
    const { url, count } = await counting()
    for (let index = 0; index < 5; index++) {
      const response = await get(url)
      for await (const _ of response.chunks) {
        response.release()
        break
      }
      response.close()
      await wait(5)
    }
    for (let index = 0; index < 5; index++) expect(await (await get(url)).text()).toBe('one\n')
    expect(count()).toBe(1)
  })

  it('one that the server closed meanwhile is replaced', async () => {
    const { url, count, http } = await counting()
    for (let index = 0; index < 5; index++) {
      expect(await (await get(url)).text()).toBe('one\n')
      http.closeIdleConnections() // the client learns of it only when it writes, or just before
    }
    expect(count()).toBeGreaterThan(1)
  })

  it('one that breaks before the answer is tried once more, and only once', async () => {
    let requests = 0
    const url = await serve((request, response) => {
      if (++requests === 1) response.end('x')
      else request.socket.destroy()
    })
    expect(await (await get(url)).text()).toBe('x')
    await expect(get(url)).rejects.toMatchObject({ code: 'chat/stream-corrupt' })
    expect(requests).toBeLessThanOrEqual(3)
  })

  it('a server that goes on after the answer’s own end is cut off', async () => {
    const closed = deferred()
    const url = await serve((_, response) => {
      response.write('one')
      response.once('close', closed.resolve)
    })
    const response = await get(url)
    for await (const _ of response.chunks) {
      response.release()
      break
    }
    await closed.promise
  })

  it('a consumer that lags behind makes the server wait', async () => {
    let written = 0
    const url = await serve(async (_, response) => {
      for (let index = 0; index < 1_000; index++) {
        if (!response.write(Buffer.alloc(64 * 1024))) await once(response, 'drain')
        written = index
      }
      response.end()
    })
    const response = await get(url)
    await response.chunks.next()
    await wait(100)
    expect(written).toBeLessThan(900)
    let bytes = 64 * 1024
    for await (const chunk of response.chunks) bytes += chunk.length
    expect(bytes).toBeGreaterThan(60_000_000)
  })
})

describe('abort', () => {
  const reason = new Error('stop it')

  it('before the call sends nothing', async () => {
    let requests = 0
    const url = await serve(() => requests++)
    await expect(get(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(requests).toBe(0)
  })

  it('works while the connection is made', async () => {
    const url = await serveSilence()
    url.protocol = 'https:' // the handshake never ends
    const controller = new AbortController()
    const call = get(url, { signal: controller.signal })
    setTimeout(() => controller.abort(reason), 20)
    await expect(call).rejects.toBe(reason)
  })

  it('works before the first byte, and the server sees it', async () => {
    const controller = new AbortController()
    const closed = deferred()
    const url = await serve((request) => {
      request.socket.once('close', closed.resolve)
      controller.abort(reason)
    })
    await expect(get(url, { signal: controller.signal })).rejects.toBe(reason)
    await closed.promise
  })

  it('works in the middle of the stream, also between two reads', async () => {
    const controller = new AbortController()
    const closed = deferred()
    const url = await serve((_, response) => {
      response.write('one')
      response.once('close', closed.resolve)
    })
    const { chunks } = await get(url, { signal: controller.signal })
    expect((await chunks.next()).done).toBe(false)
    controller.abort(reason)
    await closed.promise // nobody reads, and yet the connection is closed
    await expect(chunks.next()).rejects.toBe(reason)
  })

  it('passes reasons on that are no errors', async () => {
    const url = await serveSilence()
    const controller = new AbortController()
    const call = get(url, { signal: controller.signal })
    controller.abort('enough')
    await expect(call).rejects.toBe('enough')
  })

  it('leaves no listener behind', async () => {
    const url = await serve((_, response) => response.end('x'))
    const controller = new AbortController()
    await read(await get(url, { signal: controller.signal }))
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })
})

describe('limits', () => {
  const cases: [string, Partial<TransportRequest>, (url: URL) => URL][] = [
    [
      'connectTimeoutMs',
      { limits: { connectTimeoutMs: 40 } },
      (url) => new URL(url.href.replace('http:', 'https:')),
    ],
    ['firstTokenTimeoutMs', { limits: { firstTokenTimeoutMs: 40 } }, (url) => url],
  ]
  it.each(cases)('%s names itself and how to raise it', async (limit, rest, change) => {
    const url = change(await serveSilence())
    const error = await get(url, rest).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'chat/timeout', retryable: true, details: { limit, timeoutMs: 40 } })
    expect(String(error)).toContain(`Raise limits.${limit}`)
    expect(String(error)).toContain(`127.0.0.1:${url.port}`)
  })

  it('the first-token limit goes on after the headers', async () => {
    const url = await serve((_, response) => response.writeHead(200).flushHeaders())
    const call = get(url, { limits: { firstTokenTimeoutMs: 60 } }).then(read)
    await expect(call).rejects.toMatchObject({ details: { limit: 'firstTokenTimeoutMs' } })
  })

  it('the idle limit begins with the first byte', async () => {
    const url = await serve((_, response) => response.write('a'))
    const response = await get(url, { limits: { idleTimeoutMs: 40 } })
    await expect(read(response)).rejects.toMatchObject({
      code: 'chat/timeout',
      details: { limit: 'idleTimeoutMs' },
    })
  })

  it('0 and Infinity turn a limit off', async () => {
    const url = await serve((_, response) => void setTimeout(() => response.end('late'), 60))
    const limits = { connectTimeoutMs: Number.POSITIVE_INFINITY, firstTokenTimeoutMs: 0, idleTimeoutMs: 0 }
    expect(await read(await get(url, { limits }))).toEqual(['late'])
  })
})

describe('failures', () => {
  it('a closed port: the cause is unwrapped and the start is told', async () => {
    const http = createServer()
    const url = await listen(http)
    http.close()
    await once(http, 'close')
    const error = await get(url).catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      code: 'chat/unreachable',
      instead: 'Start it.',
      details: { cause: 'ECONNREFUSED' },
    })
    expect(String(error)).toContain(`127.0.0.1:${url.port}`)
    expect(String(error)).toContain('ECONNREFUSED')
  })

  it('a connection closed before the answer', async () => {
    const url = await serve((request: IncomingMessage) => request.socket.destroy())
    await expect(get(url)).rejects.toMatchObject({ code: 'chat/stream-corrupt', retryable: true })
  })

  it('a connection closed in the middle', async () => {
    const url = await serve((_, response: ServerResponse) => response.write('a', () => response.destroy()))
    const response = await get(url)
    await expect(read(response)).rejects.toMatchObject({ code: 'chat/stream-corrupt' })
  })

  it('credentials in the address are sent, and stay out of messages', async () => {
    let header: string | undefined
    const url = await serve((request, response) => {
      header = request.headers.authorization
      response.destroy()
    })
    url.username = 'user'
    url.password = 'secret'
    const error = await get(url).catch((caught: unknown) => caught)
    expect(header).toBe(`Basic ${Buffer.from('user:secret').toString('base64')}`)
    expect(JSON.stringify(error) + String(error)).not.toContain('secret')
  })
})

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
