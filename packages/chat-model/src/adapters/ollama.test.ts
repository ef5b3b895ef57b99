import { afterEach, describe, expect, it } from 'vitest'
import {
  type FakeOllama,
  type FakeOllamaAnswer,
  type FakeOllamaOptions,
  startFakeOllama,
} from '../testing/index.js'
import type { ChatEvent, ChatModel, ChatRequest, Message, ToolSpec } from '../types.js'
import { type OllamaOptions, ollama } from './ollama.js'

let fake: FakeOllama | undefined
afterEach(async () => {
  await fake?.close()
  fake = undefined
})

const thinker = { name: 'thinker', capabilities: ['completion', 'tools', 'thinking'] }
const gptOss = { name: 'gpt', capabilities: ['completion', 'tools', 'thinking'], family: 'gptoss' }
const small = { name: 'small', capabilities: ['completion'], contextLength: 2048 }

async function start(
  answer: FakeOllamaAnswer | FakeOllamaOptions['answer'],
  rest: Partial<FakeOllamaOptions> = {},
): Promise<FakeOllama> {
  const script = typeof answer === 'function' ? answer : () => answer
  fake = await startFakeOllama({ models: ['m', thinker, gptOss, small], answer: script, ...rest })
  return fake
}

async function collect(model: ChatModel, request: Partial<ChatRequest> = {}): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of model.stream({ messages: [{ role: 'user', text: 'hi' }], ...request }))
    events.push(event)
  return events
}

async function ask(options: Partial<OllamaOptions> = {}, request: Partial<ChatRequest> = {}) {
  const events = await collect(ollama({ model: 'm', host: fake?.host ?? '', ...options }), request)
  return events.at(-1) as Extract<ChatEvent, { type: 'finish' }>
}

const tool: ToolSpec = { name: 'search', description: 'Searches.', inputSchema: { type: 'object' } }

describe('the request', () => {
  it('always sets the window, and refuses every silent cut', async () => {
    const server = await start('ok')
    await ask()
    await ask({ contextWindow: 4096, keepAlive: '300' }, { temperature: 0.1, seed: 7, maxOutputTokens: 20 })
    expect(server.chats.map((chat) => chat.body)).toEqual([
      {
        model: 'm',
        messages: [{ role: 'user', content: 'hi' }],
        stream: true,
        truncate: false,
        shift: false,
        keep_alive: '30m',
        options: { num_ctx: 8192 },
      },
      expect.objectContaining({
        keep_alive: 300,
        options: { num_ctx: 4096, temperature: 0.1, seed: 7, num_predict: 20 },
      }),
    ])
  })

  it('asks for the capabilities once, and clamps the window to what the model was made for', async () => {
    const server = await start('ok')
    const model = ollama({ model: 'small', host: server.host })
    expect(model.contextWindow).toBe(8192)
    await collect(model)
    await collect(model)
    expect(model.contextWindow).toBe(2048)
    expect(server.chats.map((chat) => chat.body?.options?.num_ctx)).toEqual([2048, 2048])
    expect(server.requests.map((request) => request.path)).toEqual(['/api/show', '/api/chat', '/api/chat'])
  })

  it.each<[string, OllamaOptions['think'], unknown]>([
    ['m', true, undefined],
    ['thinker', undefined, false],
    ['thinker', true, true],
    ['thinker', 'high', true],
    ['gpt', undefined, 'low'],
    ['gpt', true, 'medium'],
    ['gpt', 'high', 'high'],
  ])('model %s with think %j is sent %j', async (model, think, expected) => {
    const server = await start('ok')
    await ask({ model, ...(think === undefined ? {} : { think }) })
    expect(server.chats[0]?.body?.think).toBe(expected)
  })

  it('never has tools and format together', async () => {
    const server = await start('ok')
    const outputSchema = { type: 'object' }
    await ask({}, { tools: [tool], outputSchema })
    await ask({}, { outputSchema })
    await ask({}, { tools: [tool], toolChoice: 'none', outputSchema })
    const keys = server.chats.map(({ body }) => [body?.tools?.length ?? 0, body?.format])
    expect(keys).toEqual([
      [1, undefined],
      [0, outputSchema],
      [0, outputSchema],
    ])
  })

  it('of a turn is an exact prefix of the next one, up to the end of its messages', async () => {
    const calls = [{ name: 'search', arguments: { query: 'ä' } }, { name: 'search' }]
    const server = await start((_, index) =>
      index < 3 ? { text: 'Let me see.', reasoning: `thought ${index}`, toolCalls: calls } : 'done',
    )
    const model = ollama({ model: 'thinker', host: server.host, think: true })
    const messages: Message[] = [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'Look at this.', images: [{ mimeType: 'image/png', base64: 'AAAA' }] },
    ]
    for (let turn = 0; turn < 4; turn++) {
      const events = await collect(model, {
        messages,
        tools: [tool],
        temperature: turn / 10,
        maxOutputTokens: 9 + turn,
      })
      const { message } = events.at(-1) as Extract<ChatEvent, { type: 'finish' }>
      messages.push(message)
      for (const call of message.toolCalls ?? []) {
        messages.push({ role: 'tool', toolCallId: call.id, toolName: call.name, text: `found ${turn}\n"x"` })
      }
    }
    const bodies = server.chats.map((chat) => chat.bodyText)
    expect(bodies).toHaveLength(4)
    for (const [index, body] of bodies.slice(0, -1).entries()) {
      const end = body.lastIndexOf('],"stream"')
      expect(end).toBeGreaterThan(0)
      expect(bodies[index + 1]?.startsWith(`${body.slice(0, end)},{`)).toBe(true)
    }
    const ids = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
    expect(ids.map((call) => call.id)).toEqual(['call-1', 'call-2', 'call-3', 'call-4', 'call-5', 'call-6'])
  })
})

describe('the answer', () => {
  it('streams text and ends with usage', async () => {
    const { host } = await start({ text: 'one two', inputTokens: 7 })
    expect(await collect(ollama({ model: 'm', host }))).toEqual([
      { type: 'text-delta', text: 'one' },
      { type: 'text-delta', text: ' two' },
      {
        type: 'finish',
        reason: 'stop',
        message: { role: 'assistant', text: 'one two' },
        usage: { inputTokens: 7, outputTokens: 2, loadMs: 1, promptMs: 1, outputMs: 1 },
      },
    ])
  })

  it('keeps every call of every chunk, also equal ones, whatever their index', async () => {
    const call = { name: 'search', arguments: { q: 'x' } }
    await start({ toolCalls: [call, call, { name: 'list' }] })
    const end = await ask({}, { tools: [tool] })
    expect(end.reason).toBe('tool-calls')
    expect(end.message.toolCalls).toEqual([
      { id: 'call-1', ...call },
      { id: 'call-2', ...call },
      { id: 'call-3', name: 'list', arguments: {} },
    ])
  })

  it('reads calls beside thinking and without text', async () => {
    await start({ reasoning: 'hm', toolCalls: [{ name: 'search' }] })
    const end = await ask({ model: 'thinker', think: true }, { tools: [tool] })
    expect(end.message).toMatchObject({ text: '', reasoning: 'hm', toolCalls: [{ name: 'search' }] })
  })

  it('does not repeat an id that is in the history, wherever it came from', async () => {
    await start({ toolCalls: [{ name: 'search' }] })
    const toolCalls = [
      { id: 'call-2', name: 'search', arguments: {} },
      { id: 'other', name: 'search', arguments: 'not JSON' },
    ]
    const end = await ask({}, { messages: [{ role: 'assistant', text: '', toolCalls }] })
    expect(end.message.toolCalls?.map((call) => call.id)).toEqual(['call-3'])
  })

  it('takes thinking blocks out of the text', async () => {
    await start('<think>secret plan</think>\n\nThe answer.')
    const end = await ask()
    expect(end.message).toEqual({ role: 'assistant', text: 'The answer.', reasoning: 'secret plan' })
  })

  it('says when it was cut, and keeps what came', async () => {
    await start({ text: 'half a', doneReason: 'length' })
    expect(await ask()).toMatchObject({ reason: 'length', message: { text: 'half a' } })
  })

  it('is complete with its last line, whatever the server does then', async () => {
    const lines = [{ message: { content: 'x' }, done: true, done_reason: 'stop' }, { waitMs: 60_000 }]
    const server = await start({ lines })
    expect((await ask()).message.text).toBe('x')
    expect(await server.chats[0]?.ended).toBe('client-left')
  })

  it('stops the work of the server when the loop is left', async () => {
    const server = await start({ text: 'a b c', lineDelayMs: 60_000 })
    for await (const _ of ollama({ model: 'm', host: server.host }).stream({
      messages: [{ role: 'user', text: 'x' }],
    })) {
      break
    }
    expect(await server.chats[0]?.ended).toBe('client-left')
  })
})
