import { afterEach, describe, expect, it } from 'vitest'
import {
  type FakeOpenAi,
  type FakeOpenAiAnswer,
  type FakeOpenAiOptions,
  startFakeOpenAi,
} from '../testing/index.js'
import type { ChatEvent, ChatModel, ChatRequest, Message, ToolSpec } from '../types.js'
import { type OpenaiCompatibleOptions, openaiCompatible } from './openai-compatible.js'

let fake: FakeOpenAi | undefined
afterEach(async () => {
  await fake?.close()
  fake = undefined
})

async function start(
  answer: FakeOpenAiAnswer | FakeOpenAiOptions['answer'],
  rest: Partial<FakeOpenAiOptions> = {},
): Promise<FakeOpenAi> {
  const script = typeof answer === 'function' ? answer : () => answer
  fake = await startFakeOpenAi({ kind: 'vllm', models: ['m'], answer: script, ...rest })
  return fake
}

async function collect(model: ChatModel, request: Partial<ChatRequest> = {}): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of model.stream({ messages: [{ role: 'user', text: 'hi' }], ...request }))
    events.push(event)
  return events
}

async function ask(options: Partial<OpenaiCompatibleOptions> = {}, request: Partial<ChatRequest> = {}) {
  const model = openaiCompatible({ model: 'm', baseUrl: fake?.baseUrl ?? '', ...options })
  const events = await collect(model, request)
  return events.at(-1) as Extract<ChatEvent, { type: 'finish' }>
}

const tool: ToolSpec = { name: 'search', description: 'Searches.', inputSchema: { type: 'object' } }

describe('the request', () => {
  it('asks for usage, and sends nothing that was not asked for', async () => {
    const server = await start('ok')
    await ask()
    expect(server.chats.map((chat) => chat.body)).toEqual([
      {
        model: 'm',
        messages: [{ role: 'user', content: 'hi' }],
        stream: true,
        stream_options: { include_usage: true },
      },
    ])
    expect(server.chats[0]?.headers.authorization).toBeUndefined()
  })

  it('carries sampling, the wanted effort and keys of one server', async () => {
    const server = await start('ok')
    const extraBody = { chat_template_kwargs: { enable_thinking: false } }
    await ask(
      { reasoningEffort: 'none', extraBody, headers: { 'x-own': 'y' } },
      { temperature: 0.1, seed: 7, maxOutputTokens: 20 },
    )
    expect(server.chats[0]?.body).toMatchObject({
      temperature: 0.1,
      seed: 7,
      max_tokens: 20,
      reasoning_effort: 'none',
      ...extraBody,
    })
    expect(server.chats[0]?.headers['x-own']).toBe('y')
  })

  it.each<[ChatRequest['toolChoice'], unknown, number]>([
    [undefined, undefined, 1],
    ['auto', undefined, 1],
    ['required', 'required', 1],
    ['none', undefined, 0],
    [{ name: 'search' }, { type: 'function', function: { name: 'search' } }, 1],
  ])('toolChoice %j is sent as %j', async (toolChoice, expected, tools) => {
    const server = await start('ok')
    await ask({}, { tools: [tool], ...(toolChoice === undefined ? {} : { toolChoice }) })
    expect(server.chats[0]?.body?.tool_choice).toEqual(expected)
    expect(server.chats[0]?.body?.tools?.length ?? 0).toBe(tools)
  })

  it('B14: never has tools and a schema together', async () => {
    const server = await start('ok')
    const outputSchema = { type: 'object' }
    const format = {
      type: 'json_schema',
      json_schema: { name: 'answer', schema: outputSchema, strict: true },
    }
    await ask({}, { tools: [tool], outputSchema })
    await ask({}, { outputSchema })
    await ask({}, { tools: [tool], toolChoice: 'none', outputSchema })
    const keys = server.chats.map(({ body }) => [body?.tools?.length ?? 0, body?.response_format])
    expect(keys).toEqual([
      [1, undefined],
      [0, format],
      [0, format],
    ])
  })

  it('B02, B07, B09: replays calls with text arguments, results with name and id, thinking, images', async () => {
    const server = await start('ok')
    const toolCalls = [
      { id: 'a', name: 'search', arguments: '{"q":"x"}' },
      { id: 'b', name: 'search', arguments: 'not JSON' },
    ]
    const messages: Message[] = [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'Look.', images: [{ mimeType: 'image/png', base64: 'AAAA' }] },
      { role: 'assistant', text: '', reasoning: 'hm', toolCalls },
      { role: 'tool', toolCallId: 'a', toolName: 'search', text: 'hit' },
      { role: 'tool', toolCallId: 'b', toolName: 'search', text: 'denied', isError: true },
    ]
    await ask({}, { messages, tools: [tool] })
    const call = (id: string, text: string) => ({
      id,
      type: 'function',
      function: { name: 'search', arguments: text },
    })
    expect(server.chats[0]?.body?.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      {
        role: 'assistant',
        content: '',
        reasoning: 'hm',
        reasoning_content: 'hm',
        tool_calls: [call('a', '{"q":"x"}'), call('b', '{"input":"not JSON"}')],
      },
      { role: 'tool', tool_call_id: 'a', name: 'search', content: 'hit' },
      { role: 'tool', tool_call_id: 'b', name: 'search', content: 'denied' },
    ])
  })

  it('A14: of a turn is an exact prefix of the next one, up to the end of its messages', async () => {
    const server = await start((_, index) => (index < 4 ? { toolCalls: [{ name: 'search' }] } : 'done'))
    const model = openaiCompatible({ model: 'm', baseUrl: server.baseUrl })
    const messages: Message[] = [{ role: 'user', text: 'Look it up.' }]
    for (let turn = 0; turn < 5; turn++) {
      const events = await collect(model, { messages, tools: [tool], temperature: turn / 10 })
      const { message } = events.at(-1) as Extract<ChatEvent, { type: 'finish' }>
      messages.push(message)
      for (const call of message.toolCalls ?? [])
        messages.push({ role: 'tool', toolCallId: call.id, toolName: call.name, text: `found ${turn}` })
    }
    const bodies = server.chats.map((chat) => chat.bodyText)
    for (const [index, body] of bodies.slice(0, -1).entries()) {
      const end = body.lastIndexOf('],"stream"')
      expect(bodies[index + 1]?.startsWith(`${body.slice(0, end)},{`)).toBe(true)
    }
    const ids = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
    expect(new Set(ids.map((call) => call.id)).size).toBe(4)
  })

  it.each([
    ['http://127.0.0.1:1/v1/', 'http://127.0.0.1:1/v1/chat/completions'],
    ['http://0.0.0.0:1/v1', 'http://127.0.0.1:1/v1/chat/completions'],
    ['http://localhost:1', 'http://127.0.0.1:1/chat/completions'],
    ['http://user:secret@127.0.0.1:1/proxy/v1?x=1', 'http://127.0.0.1:1/proxy/v1/chat/completions'],
  ])('A10: base URL %s', async (baseUrl, expected) => {
    const error = await ask({ baseUrl }).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'chat/unreachable', details: { host: new URL(expected).host } })
    expect(JSON.stringify(error) + String(error)).not.toContain('secret')
  })

  it.each(['', 'box:8080', 'ftp://box/v1', '/v1'])('refuses the base URL %j at once', (baseUrl) => {
    expect(() => openaiCompatible({ model: 'm', baseUrl })).toThrow(
      expect.objectContaining({ code: 'chat/bad-option' }),
    )
  })
})

describe('the answer', () => {
  it.each(['ollama', 'llama-server', 'vllm'] as const)(
    'of %s: text, thinking, calls and usage',
    async (kind) => {
      const toolCalls = [
        { name: 'search', arguments: { q: 'x' } },
        { name: 'search', arguments: { q: 'x' } },
        { name: 'list' },
      ]
      await start(
        {
          text: 'Let me see.',
          reasoning: 'I wonder',
          toolCalls,
          inputTokens: 7,
          cachedTokens: 4,
          outputTokens: 5,
        },
        { kind },
      )
      const end = await ask({}, { tools: [tool] })
      expect(end).toMatchObject({
        reason: 'tool-calls',
        message: { text: 'Let me see.', reasoning: 'I wonder' },
        usage: { inputTokens: 7, outputTokens: 5, ...(kind === 'llama-server' ? { promptMs: 1.5 } : {}) },
      })
      // Ollama's /v1 says nothing of it.
      expect(end.usage.cachedInputTokens).toBe(kind === 'ollama' ? undefined : 4)
      const calls = end.message.toolCalls ?? []
      expect(calls.map(({ id: _, ...call }) => call)).toEqual(
        toolCalls.map((call) => ({ arguments: {}, ...call })),
      )
      expect(new Set(calls.map((call) => call.id)).size).toBe(3)
    },
  )

  it('reads the name for thinking that vLLM had before 0.11.2', async () => {
    const delta = (fields: object) => ({ choices: [{ delta: fields, finish_reason: null }] })
    const steps = [
      delta({ reasoning_content: 'hm' }),
      delta({ content: 'ok' }),
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
    ]
    await start({ steps })
    expect((await ask()).message).toEqual({ role: 'assistant', text: 'ok', reasoning: 'hm' })
  })

  it('B11: takes thinking blocks out of the text', async () => {
    await start('<think>secret plan</think>\n\nThe answer.')
    expect((await ask()).message).toEqual({
      role: 'assistant',
      text: 'The answer.',
      reasoning: 'secret plan',
    })
  })

  it('does not repeat an id that is in the history, nor one of the same answer', async () => {
    await start({ toolCalls: [{ id: 'x', name: 'search' }] })
    const toolCalls = [{ id: 'x', name: 'search', arguments: {} }]
    const end = await ask({}, { messages: [{ role: 'assistant', text: '', toolCalls }] })
    expect(end.message.toolCalls?.map((call) => call.id)).toEqual(['call-2'])
  })

  it('is complete with a reason for its end, where [DONE] and usage are missing', async () => {
    await start({ steps: [{ choices: [{ delta: { content: 'half a' }, finish_reason: 'length' }] }] })
    expect(await ask()).toMatchObject({ reason: 'length', message: { text: 'half a' }, usage: {} })
  })

  it('is complete with [DONE], whatever the server does then', async () => {
    const steps = [
      { choices: [{ delta: { content: 'x' } }] },
      { raw: 'data: [DONE]\n\n' },
      { waitMs: 60_000 },
    ]
    const server = await start({ steps })
    expect((await ask()).message.text).toBe('x')
    expect(await server.chats[0]?.ended).toBe('client-left')
  })
})

describe('the window', () => {
  it.each([
    ['vllm', {}, ['/v1/models']],
    ['llama-server', {}, ['/v1/models']],
    ['llama-server', { tellsWindowInModels: false }, ['/v1/models', '/props']],
    ['ollama', {}, ['/v1/models', '/api/ps', '/api/generate', '/api/ps']],
  ] as const)('is told by %s %j', async (kind, rest, paths) => {
    const server = await start('ok', { kind, contextWindow: 4096, ...rest })
    const model = openaiCompatible({ model: 'm', baseUrl: server.baseUrl })
    expect(model.contextWindow).toBeUndefined()
    await collect(model)
    await collect(model)
    expect(model.contextWindow).toBe(4096)
    const chat = '/v1/chat/completions'
    expect(server.requests.map((request) => request.path)).toEqual([...paths, chat, chat])
  })

  it('is the option where the server does not tell, and never more than it tells', async () => {
    const server = await start('ok', { contextWindow: 4096 })
    for (const [contextWindow, expected] of [
      [1024, 1024],
      [100_000, 4096],
    ] as const) {
      const model = openaiCompatible({ model: 'm', baseUrl: server.baseUrl, contextWindow })
      expect(model.contextWindow).toBe(contextWindow)
      await collect(model)
      expect(model.contextWindow).toBe(expected)
    }
    const silent = openaiCompatible({ model: 'other', baseUrl: server.baseUrl, contextWindow: 512 })
    expect(silent.contextWindow).toBe(512)
  })
})
