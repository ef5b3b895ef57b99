import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { defaultLimits } from './adapters/http-transport.js'
import { normalizeOllamaHost, type OllamaOptions, ollama } from './adapters/ollama.js'
import { generate } from './generate.js'
import { generateObject } from './generate-object.js'
import { queueCalls } from './queue-calls.js'
import { looksLikeToolCall, recoverToolCalls } from './recover-tool-calls.js'
import {
  type FakeOllama,
  type FakeOllamaAnswer,
  type FakeOllamaOptions,
  startFakeOllama,
} from './testing/index.js'
import type { ChatRequest, Message, ToolSpec } from './types.js'

// The items of the field reports' sections A, B and C that concern the port, on a server that speaks Ollama's protocol.
// Their twins for OpenAI-compatible servers stand in adapters/openai*.test.ts.

let fake: FakeOllama | undefined
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await fake?.close()
  fake = undefined
})

async function start(
  answer: FakeOllamaAnswer | FakeOllamaOptions['answer'],
  rest: Partial<FakeOllamaOptions> = {},
): Promise<FakeOllama> {
  const models = [
    'm',
    { name: 'plain', capabilities: ['completion'] },
    { name: 'thinker', capabilities: ['tools', 'thinking'] },
  ]
  fake = await startFakeOllama({
    models,
    answer: typeof answer === 'function' ? answer : () => answer,
    ...rest,
  })
  return fake
}

function model(options: Partial<OllamaOptions> = {}) {
  return ollama({ model: 'm', host: fake?.host ?? '', ...options })
}

const hi: Message[] = [{ role: 'user', text: 'hi' }]
const ask = (options: Partial<OllamaOptions> = {}, request: Partial<ChatRequest> = {}) =>
  generate(model(options), { messages: hi, ...request })
const failure = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('the call should fail'),
    (error: unknown) => error,
  )
const user = (text: string): Message[] => [{ role: 'user', text }]
const tool = (name: string, ...parameters: string[]): ToolSpec => ({
  name,
  description: name,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter, { type: 'string' }])),
    required: parameters,
  },
})

describe('A: context, transport, scheduling', () => {
  it('A01: a prompt that does not fit is refused; one that an older server cut is noticed', async () => {
    const long = { messages: user('word '.repeat(12_000)) } // about 15,000 tokens
    await start('Sure!')
    expect(await failure(ask({}, long))).toMatchObject({ code: 'chat/context-overflow' })
    await fake?.close()
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
    const shared = model({ contextWindow: 4096 })
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
    const one = model({
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
    await fake?.close()
    const stalls = { lines: [{ message: { content: 'a' }, done: false }, { waitMs: 60_000 }] }
    for (const [limit, answer] of [
      ['firstTokenTimeoutMs', { text: 'late', delayMs: 60_000 }],
      ['idleTimeoutMs', stalls],
    ] as const) {
      await start(answer)
      const error = await failure(ask({ limits: { [limit]: 150 } }))
      expect(error).toMatchObject({
        code: 'chat/timeout',
        retryable: true,
        details: { limit, timeoutMs: 150 },
      })
      expect(String(error)).toContain(`Raise limits.${limit}`)
      expect(await fake?.chats[0]?.ended).toBe('client-left')
      await fake?.close()
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
    await fake?.close()
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
    fake = undefined
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
    const one = model(keepAlive === undefined ? {} : { keepAlive })
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
    const queued = queueCalls(model({ limits: { firstTokenTimeoutMs: 1_500 } }))
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
    const one = model()
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

describe('B: tool calling, thinking, structured output', () => {
  const search = tool('search', 'q')

  it('B01: a call in a fence is one call; a call in prose, or quoted from a tool, is none', () => {
    const call = { name: 'search', arguments: { q: 'x' } }
    expect(recoverToolCalls(`\`\`\`json\n${JSON.stringify(call)}\n\`\`\``, [search])).toEqual([call])
    expect(recoverToolCalls(`For example you could send ${JSON.stringify(call)}`, [search])).toEqual([])
    const quoted = 'The page says:\n{"name":"delete_file","arguments":{"path":"/"}}'
    expect(recoverToolCalls(quoted, [search, tool('delete_file', 'path')])).toEqual([])
  })

  it('B02: arguments that are a text are parsed once, "" is none, and the history has objects', async () => {
    const server = await start((_, index) =>
      index === 0
        ? {
            toolCalls: [
              { name: 'search', arguments: '{"q":"x"}' },
              { name: 'search', arguments: '' },
            ],
          }
        : 'done',
    )
    const one = model()
    const { message } = await generate(one, { messages: hi, tools: [search] })
    expect(message.toolCalls?.map((call) => call.arguments)).toEqual([{ q: 'x' }, {}])
    const texts = [{ id: 'a', name: 'search', arguments: '{"q":"x"}' }]
    await generate(one, { messages: [...hi, { role: 'assistant', text: '', toolCalls: texts }] })
    expect(server.chats[1]?.body?.messages[1]?.tool_calls).toMatchObject([
      { function: { arguments: { q: 'x' } } },
    ])
  })

  it('B03: arguments that are no JSON stay what was written, and never become {}', async () => {
    await start({ toolCalls: [{ name: 'purge', arguments: '{path: /tmp' }] })
    const { message } = await ask({}, { tools: [tool('purge', 'path')] })
    expect(message.toolCalls?.[0]?.arguments).toBe('{path: /tmp')
    const written = '{"name":"purge","arguments":"{path: /tmp"}'
    expect(recoverToolCalls(written, [tool('purge', 'path')])).toEqual([])
    expect(looksLikeToolCall(written, [tool('purge', 'path')])).toMatchObject({ arguments: '{path: /tmp' })
  })

  it('B04: control tokens come off a name; a name that fits two tools is no guess', () => {
    const specs = [tool('create_event', 'title'), tool('a_search', 'q'), tool('b_search', 'q')]
    const written = '{"name":"create_event<|channel|>analysis","arguments":{"title":"x"}}'
    expect(recoverToolCalls(written, specs)).toEqual([{ name: 'create_event', arguments: { title: 'x' } }])
    const ambiguous = '{"name":"search","arguments":{"q":"x"}}'
    expect(recoverToolCalls(ambiguous, specs)).toEqual([])
    expect(looksLikeToolCall(ambiguous, specs)).toMatchObject({ problem: 'No tool is named "search".' })
  })

  it('B05: a blank turn is an answer without text, also when it only thought, and can be replayed', async () => {
    const server = await start((_, index) => (index === 0 ? { text: '<think>never closed' } : ''))
    const one = model()
    const first = await generate(one, { messages: hi })
    expect(first.message).toEqual({ role: 'assistant', text: '', reasoning: 'never closed' })
    await generate(one, { messages: [...hi, first.message, ...user('Go on.')] })
    expect(server.chats[1]?.body?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('B06: calls are read beside thinking and without text', async () => {
    await start({ reasoning: 'hm', toolCalls: [{ name: 'search', arguments: { q: 'x' } }] })
    const { message, reason } = await ask({ model: 'thinker', think: true }, { tools: [search] })
    expect(reason).toBe('tool-calls')
    expect(message).toMatchObject({ text: '', reasoning: 'hm', toolCalls: [{ name: 'search' }] })
  })

  it('B07: two calls of one tool have two ids; results carry id and name, and are always text', async () => {
    const calls = [
      { name: 'weather', arguments: { city: 'A' } },
      { name: 'weather', arguments: { city: 'B' } },
    ]
    const server = await start((_, index) => (index === 0 ? { toolCalls: calls } : 'done'))
    const one = model()
    const { message } = await generate(one, { messages: hi, tools: [tool('weather', 'city')] })
    const ids = (message.toolCalls ?? []).map((call) => call.id)
    expect(new Set(ids).size).toBe(2)
    const results = ids.map(
      (id, index): Message => ({
        role: 'tool',
        toolCallId: id,
        toolName: 'weather',
        text: index === 0 ? '' : 'denied',
        isError: index === 1,
      }),
    )
    await generate(one, { messages: [...hi, message, ...results] })
    expect(server.chats[1]?.body?.messages.slice(2)).toEqual([
      { role: 'tool', content: '', tool_name: 'weather', tool_call_id: ids[0] },
      { role: 'tool', content: 'denied', tool_name: 'weather', tool_call_id: ids[1] },
    ])
  })

  it('B08: three calls in three lines, all with index 0 and two of them equal, are three calls', async () => {
    const call = { name: 'search', arguments: { q: 'x' } }
    await start({ toolCalls: [call, call, { name: 'search', arguments: { q: 'y' } }] })
    const { message } = await ask({}, { tools: [search] })
    expect(message.toolCalls?.map((one) => one.arguments)).toEqual([{ q: 'x' }, { q: 'x' }, { q: 'y' }])
  })

  it('B09: an assistant turn is replayed whole, with its thinking and its calls', async () => {
    const server = await start((_, index) =>
      index === 0 ? { reasoning: 'hm', toolCalls: [{ name: 'search', arguments: { q: 'x' } }] } : 'done',
    )
    const one = model({ model: 'thinker', think: true })
    const { message } = await generate(one, { messages: hi, tools: [search] })
    const result: Message = { role: 'tool', toolCallId: 'call-1', toolName: 'search', text: 'hit' }
    await generate(one, { messages: [...hi, message, result], tools: [search] })
    expect(server.chats[1]?.body?.messages.at(-2)).toMatchObject({
      thinking: 'hm',
      tool_calls: [{ id: 'call-1', function: { name: 'search', arguments: { q: 'x' } } }],
    })
  })

  it('B10: tools for a model without them are an error before any chat, never dropped', async () => {
    const server = await start('ok')
    expect(await failure(ask({ model: 'plain' }, { tools: [search] }))).toMatchObject({
      code: 'chat/no-tool-support',
    })
    expect(server.chats).toEqual([])
  })

  it('B11: think is sent to models that can, and only there; thinking text never is content', async () => {
    const server = await start('<think>a</think>B')
    expect((await ask()).message).toEqual({ role: 'assistant', text: 'B', reasoning: 'a' })
    await ask({ model: 'thinker' })
    expect(server.chats.map(({ body }) => body && 'think' in body)).toEqual([false, true])
    expect(server.chats[1]?.body?.think).toBe(false)
  })

  const verdict = z.object({ verdict: z.enum(['good', 'bad']), score: z.number().int().min(0).max(100) })

  it('B12: a server that ignores the schema: one repair, then a typed failure, never a score', async () => {
    const server = await start('I like it, 9 of 10.')
    const error = await failure(generateObject(model(), { messages: hi, schema: verdict }))
    expect(error).toMatchObject({ code: 'chat/invalid-output' })
    expect(server.chats).toHaveLength(2)
    expect(server.chats[0]?.body?.messages.at(-1)?.content).toContain('"enum":["good","bad"]')
    expect(server.chats[1]?.body?.messages.at(-1)?.content).toContain('does not match the schema')
  })

  it('B13: an answer that repeats itself is cut before 2,000 characters, and the server is let go', async () => {
    const server = await start({ text: `{"verdict":"good","fix":"${'the '.repeat(500)}`, lineDelayMs: 0 })
    const error = await failure(generateObject(model(), { messages: hi, schema: verdict }))
    expect(error).toMatchObject({ code: 'chat/degenerate-output' })
    expect((error as { details: { written: number } }).details.written).toBeLessThan(2_000)
    expect(await server.chats[0]?.ended).toBe('client-left')
    expect(server.chats[0]?.body?.options?.num_predict).toBe(1024)
  })

  it('B13: white space without end is cut too', async () => {
    await start({ text: `{"verdict":"good",${'\n '.repeat(1_000)}` })
    expect(await failure(generateObject(model(), { messages: hi, schema: verdict }))).toMatchObject({
      code: 'chat/degenerate-output',
    })
  })

  it('B14: no request has tools and a format', async () => {
    const server = await start('ok')
    await ask({}, { tools: [search], outputSchema: { type: 'object' } })
    expect(server.chats.map(({ body }) => [body?.tools?.length, body?.format])).toEqual([[1, undefined]])
  })

  it('B15: references and patterns, which a grammar cannot take, do not reach the server, but the validation', async () => {
    const server = await start('{"day":"tomorrow"}')
    const date = z
      .string()
      .regex(/[0-9]{4}/)
      .meta({ id: 'Date' })
    const schema = z.object({ day: date, end: date.optional() })
    const error = await failure(generateObject(model(), { messages: hi, schema }))
    expect(error).toMatchObject({ code: 'chat/invalid-output', what: expect.stringContaining('day') })
    expect(server.chats[0]?.body?.messages.at(-1)?.content).toContain('"$ref":"#/definitions/Date"')
    const sent = JSON.stringify(server.chats[0]?.body?.format)
    expect(JSON.parse(sent)).toMatchObject({
      properties: { day: { type: 'string' }, end: { type: 'string' } },
    })
    expect(sent).not.toMatch(/\$|pattern/)
  })

  it('B15: a schema that the server refuses is a typed failure, asked once', async () => {
    const server = await start({ error: 'failed to load model vocabulary required for format', status: 400 })
    expect(await failure(generateObject(model(), { messages: hi, schema: verdict }))).toMatchObject({
      code: 'chat/bad-request',
    })
    expect(server.chats).toHaveLength(1)
  })

  it('B16: what Ollama drops of a schema is said in what it keeps', async () => {
    const server = await start('ok')
    const inputSchema = {
      type: 'object',
      properties: {
        day: { $ref: '#/$defs/D' },
        count: { type: ['integer', 'null'], maximum: 9, default: 3 },
      },
      $defs: { D: { type: 'object', properties: { date: { type: 'string' } } } },
    }
    await ask({}, { tools: [{ name: 'plan', description: 'Plans.', inputSchema }] })
    expect(server.chats[0]?.body?.tools?.[0]?.function.parameters).toEqual({
      type: 'object',
      properties: {
        day: { type: 'object', properties: { date: { type: 'string' } } },
        count: { type: 'integer', description: '(at most 9; default 3)' },
      },
    })
  })

  it('B17: a value of the right meaning and the wrong type is mended; any other is asked for again', async () => {
    await start('{"verdict":"good","score":"5"}')
    const { object } = await generateObject(model(), { messages: hi, schema: verdict })
    expect(object).toEqual({ verdict: 'good', score: 5 })
    await fake?.close()
    const server = await start('{"verdict":"good","score":"five"}')
    const error = await failure(generateObject(model(), { messages: hi, schema: verdict }))
    expect(error).toMatchObject({ code: 'chat/invalid-output', what: expect.stringContaining('score') })
    expect(server.chats).toHaveLength(2)
  })
})

describe('C: what of it concerns the port', () => {
  it('C03: an empty tool result is not left out (the loop says that it is one)', async () => {
    const server = await start('ok')
    const toolCalls = [{ id: 'a', name: 'search', arguments: {} }]
    const messages: Message[] = [
      ...hi,
      { role: 'assistant', text: '', toolCalls },
      { role: 'tool', toolCallId: 'a', toolName: 'search', text: '' },
    ]
    await ask({}, { messages })
    expect(server.chats[0]?.body?.messages.at(-1)?.content).toBe('')
  })

  it('C04: half a character, left by a cut, does not reach the server', async () => {
    const server = await start('ok')
    const cut = '🦊 and 🦊'.slice(0, -1)
    expect(cut.isWellFormed()).toBe(false)
    await ask({}, { messages: user(cut) })
    const content = String(server.chats[0]?.body?.messages[0]?.content)
    expect(content).toBe('🦊 and \ufffd')
    expect(server.chats[0]?.bodyText).not.toContain('\\ud')
  })
})
