import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type FakeOllama, startFakeOllama } from '../testing/index.js'
import { isOllamaReachable, isSameOllamaModel, listOllamaModels, showOllamaModel } from './ollama.js'
import { loadOllamaPackage } from './ollama-catalog.js'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function start(): Promise<FakeOllama> {
  const fake = await startFakeOllama({
    models: [
      { name: 'a:1b', size: 123, capabilities: ['completion'], contextLength: 4096, family: 'llama' },
      'b:latest',
    ],
    answer: () => '',
  })
  cleanups.push(() => fake.close())
  return fake
}

async function serve(status: number, text: string): Promise<string> {
  const headers = status === 301 ? { location: 'http://elsewhere.test/' } : {}
  const server = createServer((_, response) => response.writeHead(status, headers).end(text)).listen(
    0,
    '127.0.0.1',
  )
  await new Promise((resolve) => server.once('listening', resolve))
  cleanups.push(() => server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function serveSilence(): Promise<string> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  cleanups.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Sends pieces without end. */
async function serveEndless(piece: string, pauseMs: number): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200)
    const send = () => {
      if (response.destroyed) return
      response.write(piece, () => setTimeout(send, pauseMs))
    }
    send()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  cleanups.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function closedPort(): Promise<string> {
  const fake = await startFakeOllama({ models: [], answer: () => '' })
  await fake.close()
  return fake.host
}

describe('listOllamaModels', () => {
  it('gives names, sizes and dates', async () => {
    const { host } = await start()
    expect(await listOllamaModels({ host })).toEqual([
      { name: 'a:1b', sizeBytes: 123, modifiedAt: '2026-01-01T00:00:00.000Z' },
      { name: 'b:latest', sizeBytes: 1000, modifiedAt: '2026-01-01T00:00:00.000Z' },
    ])
  })

  it('says where nothing answers', async () => {
    const host = await closedPort()
    await expect(listOllamaModels({ host })).rejects.toMatchObject({
      code: 'chat/unreachable',
      what: expect.stringContaining(new URL(host).host),
    })
  })

  it('can be aborted before the first byte', async () => {
    const host = await serveSilence()
    const reason = new Error('enough')
    const controller = new AbortController()
    const call = listOllamaModels({ host, signal: controller.signal })
    setTimeout(() => controller.abort(reason), 20)
    await expect(call).rejects.toBe(reason)
  })

  it('takes null for an empty list, leaves out what has no name, and an odd date', async () => {
    expect(await listOllamaModels({ host: await serve(200, '{"models":null}') })).toEqual([])
    const odd = '{"models":[{"name":"a:1b","size":"big","modified_at":"soon"},{"name":7},null]}'
    expect(await listOllamaModels({ host: await serve(200, odd) })).toEqual([{ name: 'a:1b', sizeBytes: 0 }])
  })

  it.each([
    [200, '{}', 'Its answer has no list of models.'],
    [200, '{"models":{}}', 'Its answer has no list of models.'],
    [200, 'null', 'Its answer has no list of models.'],
    [301, '', 'It redirects to http://elsewhere.test/, and redirects are not followed.'],
    [401, 'who are you?', 'It asks for a sign-in, which Ollama itself does not.'],
    [500, '{"error":"oops"}', 'The server failed.'],
  ])('says what is wrong with status %i and %j', async (status, text, why) => {
    const failure = await listOllamaModels({ host: await serve(status, text) }).catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ code: 'chat/server-error', why })
    if (status !== 200)
      expect(failure).toMatchObject({ what: expect.stringContaining(`with status ${status}`) })
  })

  it('gives up on a body that never ends, by its time and by its length', async () => {
    const drop = await serveEndless(' ', 10)
    const limits = { totalTimeoutMs: 200 }
    await expect(listOllamaModels({ host: drop, limits })).rejects.toMatchObject({
      code: 'chat/timeout',
      details: { limit: 'totalTimeoutMs' },
    })
    await expect(showOllamaModel({ host: drop, limits, model: 'a' })).rejects.toMatchObject({
      code: 'chat/timeout',
    })
    const flood = await serveEndless(' '.repeat(1_000_000), 0)
    await expect(listOllamaModels({ host: flood })).rejects.toMatchObject({
      code: 'chat/server-error',
      what: expect.stringContaining('more than 33554432 bytes'),
    })
  })

  it.each([
    [500, '<html>oops</html>'],
    [200, '<html>a router</html>'],
  ])('prints nothing on %i with text that is no JSON', async (status, text) => {
    const log = vi.spyOn(console, 'log')
    await expect(listOllamaModels({ host: await serve(status, text) })).rejects.toMatchObject({
      code: 'chat/server-error',
    })
    expect(log).not.toHaveBeenCalled()
  })
})

describe('showOllamaModel', () => {
  it('gives capabilities and window', async () => {
    const { host } = await start()
    expect(await showOllamaModel({ host, model: 'a:1b' })).toEqual({
      capabilities: ['completion'],
      contextLength: 4096,
      family: 'llama',
      parameterSize: '1.5B',
      quantization: 'Q4_K_M',
    })
  })

  it('names what is there when the model is missing', async () => {
    const { host } = await start()
    await expect(showOllamaModel({ host, model: 'c' })).rejects.toMatchObject({
      code: 'chat/model-missing',
      why: 'The models there are: a:1b, b:latest.',
    })
  })
})

describe('isOllamaReachable', () => {
  it('gives the version', async () => {
    expect(await isOllamaReachable({ host: (await start()).host })).toBe('0.17.4')
  })

  it('is undefined for a closed port, for silence, and for another server', async () => {
    expect(await isOllamaReachable({ host: await closedPort() })).toBeUndefined()
    expect(await isOllamaReachable({ host: await serveSilence(), timeoutMs: 50 })).toBeUndefined()
    expect(await isOllamaReachable({ host: await serveEndless(' ', 10), timeoutMs: 50 })).toBeUndefined()
    expect(await isOllamaReachable({ host: await serve(200, '<html>') })).toBeUndefined()
    expect(await isOllamaReachable({ host: await serve(200, 'null') })).toBeUndefined()
    expect(await isOllamaReachable({ host: await serve(404, 'no') })).toBeUndefined()
  })

  it('rethrows the reason of an abort', async () => {
    const reason = new Error('enough')
    const call = isOllamaReachable({ host: await serveSilence(), signal: AbortSignal.abort(reason) })
    await expect(call).rejects.toBe(reason)
  })
})

it('tells how to install the client when it is missing', async () => {
  const load = () => import('./no-such-package.js' as string)
  await expect(loadOllamaPackage(load)).rejects.toMatchObject({
    code: 'chat/peer-missing',
    instead: 'Run `npm install ollama`.',
  })
})

it.each([
  ['a', 'a:latest', true],
  ['a:1b', 'a:1b', true],
  ['a:1b', 'a', false],
  ['host:5000/a', 'host:5000/a:latest', true],
])('%s and %s: %j', (one, other, same) => {
  expect(isSameOllamaModel(one, other)).toBe(same)
})
