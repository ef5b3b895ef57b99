import { getEventListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { type FakeHttp, startFakeHttp } from '../testing/fake-http.js'
import type { ChatEvent, ChatModel } from '../types.js'
import { ollama } from './ollama.js'
import { openaiCompatible } from './openai-compatible.js'

/** At which request, and how far into its answer, the server falls silent. */
type Moment = 'catalogue' | 'before the first byte' | 'after the headers' | 'in the middle'

let server: FakeHttp | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

interface Adapter {
  readonly name: string
  make(host: string): ChatModel
  readonly catalogue: RegExp
  readonly piece: string
  readonly last: string
}

const adapters: readonly Adapter[] = [
  {
    name: 'ollama',
    make: (host) => ollama({ model: 'm', host }),
    catalogue: /show/,
    piece: '{"message":{"content":"one "},"done":false}\n',
    last: '{"message":{"content":""},"done":true}\n',
  },
  {
    name: 'openai',
    make: (host) => openaiCompatible({ model: 'm', baseUrl: `${host}/v1` }),
    catalogue: /models|props|api/,
    piece: 'data: {"choices":[{"delta":{"content":"one "}}]}\n\n',
    last: 'data: [DONE]\n\n',
  },
]

/** A server that goes as far as `moment` and then says no more; `left` settles when the client has closed. */
async function silentAt(
  moment: Moment,
  adapter: Adapter,
): Promise<{ reached: Promise<void>; left: Promise<string> }> {
  let reach = () => {}
  let leave = (_: string) => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const left = new Promise<string>((resolve) => {
    leave = resolve
  })
  server = await startFakeHttp(async ({ path, response, ended }) => {
    const isCatalogue = adapter.catalogue.test(path)
    if (isCatalogue && moment !== 'catalogue') return void response.end('{}')
    if (moment === 'after the headers') response.writeHead(200).flushHeaders()
    if (moment === 'in the middle') response.writeHead(200).write(adapter.piece)
    void ended.then(leave)
    reach()
  })
  return { reached, left }
}

const messages = [{ role: 'user' as const, text: 'hi' }]

describe.each(adapters)('an abort of $name', (adapter) => {
  it.each<Moment>(['catalogue', 'before the first byte', 'after the headers', 'in the middle'])(
    '%s: the reason comes, the connection goes, nothing is left',
    async (moment) => {
      const { reached, left } = await silentAt(moment, adapter)
      const controller = new AbortController()
      const events: ChatEvent[] = []
      const reading = (async () => {
        const { signal } = controller
        for await (const event of adapter.make(server?.host ?? '').stream({ messages, signal }))
          events.push(event)
      })()
      const thrown = reading.catch((error: unknown) => error)
      await reached
      if (moment === 'in the middle') while (events.length === 0) await wait(2)
      const reason = { why: 'enough' }
      controller.abort(reason)
      expect(await thrown).toBe(reason)
      expect(await left).toBe('client-left')
      expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    },
  )

  it('stops an answer that is here already, as a whole', async () => {
    server = await startFakeHttp(async ({ path, response }) => {
      response.end(adapter.catalogue.test(path) ? '{}' : adapter.piece.repeat(50) + adapter.last)
    })
    const controller = new AbortController()
    const events: ChatEvent[] = []
    const reading = (async () => {
      const { signal } = controller
      for await (const event of adapter.make(server?.host ?? '').stream({ messages, signal })) {
        events.push(event)
        controller.abort('enough')
      }
    })()
    await expect(reading).rejects.toBe('enough')
    expect(events.map((event) => event.type)).toEqual(['text-delta'])
  })

  it('that came before the call sends nothing', async () => {
    let requests = 0
    server = await startFakeHttp(async () => void requests++)
    const stream = adapter.make(server.host).stream({ messages, signal: AbortSignal.abort('no') })
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toBe('no')
    expect(requests).toBe(0)
  })

  it('200 of them, at any moment, leave no socket, no timer and no listener', async () => {
    const ends: Promise<string>[] = []
    server = await startFakeHttp(async ({ path, response, ended }) => {
      if (adapter.catalogue.test(path)) return void response.end('{}')
      ends.push(ended)
      await wait(ends.length % 4)
      if (!response.destroyed) response.writeHead(200).write(adapter.piece)
    })
    const shared = new AbortController()
    const model = adapter.make(server.host)
    const before = resources()
    for (let index = 0; index < 200; index++) {
      const own = new AbortController()
      const signal = AbortSignal.any([own.signal, shared.signal])
      setTimeout(() => own.abort('enough'), index % 5)
      const reading = (async () => {
        for await (const _ of model.stream({ messages, signal })) if (index % 3 === 0) own.abort('enough')
      })()
      await expect(reading).rejects.toBe('enough')
      expect(getEventListeners(signal, 'abort')).toEqual([])
    }
    expect(new Set(await Promise.all(ends))).toEqual(new Set(['client-left']))
    const isBack = () => resources().sockets <= before.sockets && resources().timers <= before.timers
    await expect.poll(isBack, { timeout: 10_000 }).toBe(true)
  })
})

/** Sockets and timers of this process that are alive: those of the client, and of the server's side of them. */
function resources(): { readonly sockets: number; readonly timers: number } {
  const kinds = process.getActiveResourcesInfo()
  const count = (kind: string) => kinds.filter((one) => one === kind).length
  return { sockets: count('TCPSocketWrap'), timers: count('Timeout') }
}
