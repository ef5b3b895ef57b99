// Items of the field reports that concern the port, on a server that speaks Ollama's protocol. Their twins for
// OpenAI-compatible servers stand in adapters/openai*.test.ts.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { ask, closeFake, failure, hi, modelOf, start, tool, user } from './__fixtures__/field-server.js'
import { defaultLimits } from './adapters/http-transport.js'
import { normalizeOllamaHost, ollama } from './adapters/ollama.js'
import { generate } from './generate.js'
import { generateObject } from './generate-object.js'
import { queueCalls } from './queue-calls.js'

afterEach(closeFake)

describe('A: context, transport, scheduling', () => {
  it('A01: a prompt that does not fit is refused; one that an older server cut is noticed', async () => {
    const long = { messages: user('word '.repeat(12_000)) } // about 15,000 tokens
    await start('Sure!')
    expect(await failure(ask({}, long))).toMatchObject({ code: 'chat/context-overflow' })
    await closeFake()
    await start({ text: 'Sure!', inputTokens: 2051 }, { refusesOverflow: false })
    expect(await failure(ask({}, long))).toMatchObject({
      code: 'chat/context-overflow',
      details: { inputTokens: 2051 },
    })
  })

  it('A02: a few tokens over the window are an error, not half of the history', async () => {
    const server = await start('Sure!')
    const words = 'x'.repeat(4 * (1024 - 8)) // with the frame of its message exactly the window, for the fake
    expect(await failure(ask({ contextWindow: 1024 }, { messages: user(`${words}xxxxx`) }))).toMatchObject({
      code: 'chat/context-overflow',
    })
    expect(server.chats[0]?.body).toMatchObject({ truncate: false, shift: false })
    expect(server.chats).toHaveLength(1)
  })

  it('A03: nothing, cut by its length, is an error of its own that says what took the tokens', async () => {
    await start({ text: '', reasoning: 'hm', doneReason: 'length' })
    const error = await failure(ask({ model: 'thinker', think: true }, { maxOutputTokens: 5 }))
    expect(error).toMatchObject({
      code: 'chat/output-budget-exhausted',
      retryable: false,
      why: 'Thinking took them all.',
      instead: expect.stringContaining('maxOutputTokens (now 5)'),
    })
  })

  it('A04: every call of a model has the same num_ctx and shift', async () => {
    const server = await start((_, index) => (index === 2 ? '{"n":1}' : 'ok'))
    const shared = modelOf({ contextWindow: 4096 })
    await generate(shared, { messages: hi })
    await generate(shared, { messages: user('word '.repeat(2_000)), maxOutputTokens: 9 })
    await generateObject(shared, { messages: hi, schema: z.object({ n: z.number() }) })
    const sent = server.chats.map(({ body }) => JSON.stringify([body?.options?.num_ctx, body?.shift]))
    expect(sent).toHaveLength(3)
    expect(new Set(sent)).toEqual(new Set(['[4096,false]']))
  })

  const noMemory = { error: 'model requires more system memory (40.1 GiB) than is available', status: 500 }
  const large = { name: 'large', contextLength: 262_144 }

  it('A05: no memory for the window: a smaller one once, which is said, and then kept', async () => {
    const server = await start((body) => (Number(body.options?.num_ctx) > 32_768 ? noMemory : 'ok'), {
      models: [large],
    })
    const warnings: string[] = []
    const one = modelOf({
      model: 'large',
      contextWindow: 131_072,
      onWarning: (text) => {
        warnings.push(text)
      },
    })
    await generate(one, { messages: hi })
    expect(one.contextWindow).toBe(32_768)
    await generate(one, { messages: hi })
    expect(server.chats.map((chat) => chat.body?.options?.num_ctx)).toEqual([131_072, 32_768, 32_768])
    expect(warnings).toEqual([expect.stringMatching(/131072 tokens; 32768 are used/)])
  })

  it('A05: a prompt that would not fit the smaller one fails at once, and the message names the size', async () => {
    const server = await start(noMemory, { models: [large] })
    const long = { messages: user('word '.repeat(27_000)) } // about 33,750 tokens
    const error = await failure(ask({ model: 'large', contextWindow: 131_072 }, long))
    expect(error).toMatchObject({ code: 'chat/out-of-memory', retryable: false })
    expect(String(error)).toContain('Lower contextWindow (now 131072 tokens)')
    expect(server.chats).toHaveLength(1)
  })

  it('A05: never a third request', async () => {
    const server = await start(noMemory, { models: [large] })
    const error = await failure(ask({ model: 'large', contextWindow: 131_072 }))
    expect(String(error)).toContain('Lower contextWindow (now 32768 tokens)')
    expect(server.chats).toHaveLength(2)
  })

  it('A06: no limit but our own is set, ten minutes for the first token; each names itself', async () => {
    await start({ text: 'a b', lineDelayMs: 20 })
    const timers = vi.spyOn(globalThis, 'setTimeout')
    await ask()
    expect(timers.mock.calls.map(([, delay]) => delay)).not.toContain(300_000)
    expect(defaultLimits).toMatchObject({ firstTokenTimeoutMs: 600_000, idleTimeoutMs: 120_000 })
    vi.restoreAllMocks()
    await closeFake()
    const stalls = { lines: [{ message: { content: 'a' }, done: false }, { waitMs: 60_000 }] }
    for (const [limit, answer] of [
      ['firstTokenTimeoutMs', { text: 'late', delayMs: 60_000 }],
      ['idleTimeoutMs', stalls],
    ] as const) {
      const server = await start(answer)
      const error = await failure(ask({ limits: { [limit]: 150 } }))
      expect(error).toMatchObject({
        code: 'chat/timeout',
        retryable: true,
        details: { limit, timeoutMs: 150 },
      })
      expect(String(error)).toContain(`Raise limits.${limit}`)
      expect(await server.chats[0]?.ended).toBe('client-left')
      await closeFake()
    }
  })

  it('A07: a cancel before the first byte rejects at once, and the connection is closed', async () => {
    const server = await start({ text: 'late', delayMs: 60_000 })
    const controller = new AbortController()
    const call = failure(ask({}, { signal: controller.signal }))
    while (server.chats.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    controller.abort(new Error('cancelled'))
    expect(await call).toBe(controller.signal.reason)
    expect(await server.chats[0]?.ended).toBe('client-left')
  })

  it('A08: a damaged line is an error, and the text of the others is not an answer', async () => {
    await start({
      lines: [{ raw: '{"message":{"content":"a"\n' }, { message: { content: 'b' }, done: true }],
    })
    expect(await failure(ask())).toMatchObject({ code: 'chat/stream-corrupt', retryable: true })
    await closeFake()
    const call = { function: { name: 'purge', arguments: {} } }
    await start({ lines: [{ message: { content: '', tool_calls: [call] }, done: false }] })
    expect(await failure(ask({}, { tools: [tool('purge')] }))).toMatchObject({ code: 'chat/stream-corrupt' })
  })

  it('A09: an error in the middle of a stream is sorted by its text', async () => {
    await start({
      text: 'so far',
      error: 'error parsing tool call: raw="{" err=unexpected end of JSON input',
    })
    const error = await failure(ask())
    expect(error).toMatchObject({ code: 'chat/server-error', retryable: true })
    expect(String(error)).toContain('in the middle of an answer: error parsing tool call')
  })

  it.each([
    ['box', 'http://box:11434'],
    ['http://box', 'http://box:11434'],
    ['https://box', 'https://box'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['[::]:9000', 'http://127.0.0.1:9000'],
    ['localhost:1', 'http://127.0.0.1:1'],
    [':8080', 'http://127.0.0.1:8080'],
    ['http://box/proxy/', 'http://box:11434/proxy'],
  ])('A10: host %s is %s', (host, expected) => {
    vi.stubEnv('OLLAMA_HOST', host)
    for (const url of [normalizeOllamaHost(), normalizeOllamaHost(host)])
      expect(url.href.replace(/\/$/, '')).toBe(expected)
  })

  it('A10: nobody there: the message names host and port and how to start the server', async () => {
    const { host, close } = await start('')
    await close()
    const error = await failure(ask())
    expect(String(error)).toContain(new URL(host).host)
    expect(String(error)).toContain('ollama serve')
  })

  it('A11: a model that is not there costs no chat request, and the message has the pull line', async () => {
    const server = await start('')
    const error = await failure(ask({ model: 'other' }))
    expect(error).toMatchObject({
      code: 'chat/model-missing',
      instead: expect.stringContaining('ollama pull other'),
    })
    expect(server.chats).toEqual([])
  })

  it.each([
    ['300', 300],
    ['-1', -1],
    ['30m', '30m'],
    [undefined, '30m'],
  ])('A12: keepAlive %j is sent with every call as %j', async (keepAlive, expected) => {
    const server = await start('ok')
    const one = modelOf(keepAlive === undefined ? {} : { keepAlive })
    await generate(one, { messages: hi })
    await generate(one, { messages: hi })
    expect(server.chats.map((chat) => chat.body?.keep_alive)).toEqual([expected, expected])
  })

  it('A12: keepAlive "soon" is refused before any request', () => {
    expect(() => ollama({ model: 'm', keepAlive: 'soon' })).toThrow(
      expect.objectContaining({ code: 'chat/bad-option' }),
    )
  })

  it('A13: with a queue the wait for a slot does not count, and one call runs at a time', async () => {
    let running = 0
    let most = 0
    await start(async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 300))
      running--
      return 'ok'
    })
    // Six calls take 1.8 s: the last would run out of time if its wait counted.
    const queued = queueCalls(modelOf({ limits: { firstTokenTimeoutMs: 1_500 } }))
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => generate(queued, { messages: hi })))
    expect(answers).toHaveLength(6)
    expect(most).toBe(1)
  })

  it('A13: a server that is busy is asked again', async () => {
    const server = await start((_, index) =>
      index < 2
        ? { error: 'server busy, please try again. maximum pending requests exceeded', status: 503 }
        : 'ok',
    )
    expect((await ask()).message.text).toBe('ok')
    expect(server.chats).toHaveLength(3)
  })

  it('A14: what comes before the messages is the same in every request, whatever the sampling', async () => {
    const server = await start('ok')
    const one = modelOf()
    const tools = [tool('b', 'x'), tool('a')]
    await generate(one, { messages: hi, tools, temperature: 0 })
    await generate(one, { messages: [...hi, ...user('more')], tools, temperature: 1, seed: 7 })
    const heads = server.chats.map(({ bodyText }) => bodyText.slice(0, bodyText.indexOf('}],"')))
    expect(heads[0]).toContain('"tools"')
    expect(
      server.chats[1]?.bodyText.startsWith(server.chats[0]?.bodyText.split('],"stream"')[0] ?? 'x'),
    ).toBe(true)
    expect(heads[0]?.slice(0, 200)).toBe(heads[1]?.slice(0, 200))
  })
})
