import { describe, expect, it } from 'vitest'
import type { ChatEvent, ChatModel, ChatRequest, Message, ToolSpec } from '../types.js'

/** What the suite asks of a model; each is one test. */
export type ConformanceScenario =
  | 'text'
  | 'reasoning'
  | 'tool-call'
  | 'parallel-calls'
  | 'tool-result'
  | 'no-tools'
  | 'schema'
  | 'aborted-signal'
  | 'abort-before-first-byte'
  | 'abort-mid-stream'
  | 'break-mid-stream'
  | 'overflow'

/** A model for one scenario. */
export interface ConformanceModel {
  readonly model: ChatModel
  /** Called when the test is over. */
  readonly close?: () => Promise<void> | void
}

export interface ConformanceOptions {
  /** Scenarios that the adapter, or the model behind it, cannot do; they are left out. */
  readonly without?: readonly ConformanceScenario[]
  /** For each test; default: that of the project. */
  readonly timeoutMs?: number
}

/**
 * Registers the suite that every adapter has to pass; call it at the top of a vitest file.
 *
 * `make` gives a model for a scenario. A scripted one answers as `conformanceAnswers` says; a real one is asked so
 * that it probably does, and only the structure is asserted. For `abort-before-first-byte` the model has
 * to be silent for at least 100 ms; for `abort-mid-stream` and `break-mid-stream` its text needs several pieces.
 */
export function describeChatModel(
  name: string,
  make: (scenario: ConformanceScenario) => ConformanceModel | Promise<ConformanceModel>,
  options: ConformanceOptions = {},
): void {
  describe(`${name} as a ChatModel`, () => {
    for (const [scenario, check] of Object.entries(checks) as [ConformanceScenario, Check][]) {
      if (options.without?.includes(scenario)) continue
      it(`${scenario}: ${titles[scenario]}`, { timeout: options.timeoutMs }, async () => {
        const { model, close } = await make(scenario)
        try {
          await check(model)
        } finally {
          await close?.()
        }
      })
    }
  })
}

/** What a scripted model says in each scenario that needs a certain answer. */
export const conformanceAnswers = {
  text: 'Hello there, this is a test.',
  reasoning: 'A greeting is in order.',
  toolCall: { name: 'get_weather', arguments: { city: 'Oslo' } },
  secondToolCall: { name: 'get_weather', arguments: { city: 'Lima' } },
  toolResult: 'It is 3 degrees in Oslo.',
  object: { city: 'Oslo' },
} as const

type Check = (model: ChatModel) => Promise<void>

const titles: { readonly [scenario in ConformanceScenario]: string } = {
  text: 'streams text and ends with one finish that holds all of it',
  reasoning: 'keeps thinking apart from the answer',
  'tool-call': 'gives a call with an id, its name and an object of arguments',
  'parallel-calls': 'keeps every call of an answer, in order, each with its own id',
  'tool-result': 'takes a history with calls and results, and does not repeat their ids',
  'no-tools': "calls nothing when toolChoice is 'none'",
  schema: 'answers with JSON of the schema',
  'aborted-signal': 'sends nothing when the signal is aborted before',
  'abort-before-first-byte': 'rethrows the reason while the server is silent',
  'abort-mid-stream': 'rethrows the reason in the middle of an answer',
  'break-mid-stream': 'can be asked again after the loop was left',
  overflow: 'refuses a prompt that does not fit',
}

const weather: ToolSpec = {
  name: 'get_weather',
  description: 'Tells the weather in a city.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const hello: Message = { role: 'user', text: 'Greet me in one sentence.' }
const brief = { temperature: 0, seed: 1, maxOutputTokens: 64 }

const checks: { readonly [scenario in ConformanceScenario]: Check } = {
  text: async (model) => {
    expect(model.id).not.toBe('')
    const events = await collect(model, { messages: [hello], ...brief })
    const end = finishOf(events)
    expect(end.message.text.trim()).not.toBe('')
    expect(['stop', 'length']).toContain(end.reason)
    expect(end.message.toolCalls ?? []).toEqual([])
    for (const count of Object.values(end.usage)) expect(count).toBeGreaterThanOrEqual(0)
  },
  reasoning: async (model) => {
    const end = finishOf(await collect(model, { messages: [hello], ...brief, maxOutputTokens: 512 }))
    expect(end.message.reasoning?.trim() ?? '').not.toBe('')
    expect(end.message.text).not.toContain('<think>')
  },
  'tool-call': async (model) => {
    const messages: Message[] = [{ role: 'user', text: 'What is the weather in Oslo? Use the tool.' }]
    const end = finishOf(await collect(model, { messages, tools: [weather], ...brief }))
    expect(end.reason).toBe('tool-calls')
    expect(end.message.toolCalls?.[0]).toEqual({
      id: expect.stringMatching(/./),
      name: 'get_weather',
      arguments: { city: expect.any(String) },
    })
  },
  'parallel-calls': async (model) => {
    const text = 'What is the weather in Oslo, and what in Lima? Call the tool twice at once.'
    const end = finishOf(
      await collect(model, {
        messages: [{ role: 'user', text }],
        tools: [weather],
        ...brief,
        maxOutputTokens: 256,
      }),
    )
    const calls = end.message.toolCalls ?? []
    expect(calls.map((call) => call.name)).toEqual(['get_weather', 'get_weather'])
    expect(calls.map((call) => JSON.stringify(call.arguments))).toEqual([
      expect.stringContaining('Oslo'),
      expect.stringContaining('Lima'),
    ])
    expect(new Set(calls.map((call) => call.id)).size).toBe(2)
  },
  'tool-result': async (model) => {
    const messages: Message[] = [
      {
        role: 'user',
        text: 'What is the weather in Oslo, and then in Lima? Use the tool, one city at a time.',
      },
      {
        role: 'assistant',
        text: '',
        toolCalls: [{ id: 'call-1', name: 'get_weather', arguments: { city: 'Oslo' } }],
      },
      { role: 'tool', toolCallId: 'call-1', toolName: 'get_weather', text: '3 degrees, rain' },
    ]
    const end = finishOf(await collect(model, { messages, tools: [weather], ...brief }))
    const ids = (end.message.toolCalls ?? []).map((call) => call.id)
    expect(ids).not.toContain('call-1')
    expect(end.message.text + ids.join()).not.toBe('')
  },
  'no-tools': async (model) => {
    const request = { messages: [hello], tools: [weather], toolChoice: 'none' as const, ...brief }
    const end = finishOf(await collect(model, request))
    expect(end.message.toolCalls ?? []).toEqual([])
    expect(end.message.text.trim()).not.toBe('')
  },
  schema: async (model) => {
    const messages: Message[] = [{ role: 'user', text: 'Name a city as JSON: {"city": "…"}' }]
    const end = finishOf(await collect(model, { messages, outputSchema: weather.inputSchema, ...brief }))
    expect(JSON.parse(end.message.text)).toEqual({ city: expect.any(String) })
  },
  'aborted-signal': async (model) => {
    const reason = new DOMException('changed my mind', 'AbortError')
    const stream = model.stream({ messages: [hello], signal: AbortSignal.abort(reason) }) // must not throw here
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toBe(reason)
  },
  'abort-before-first-byte': async (model) => {
    const reason = { why: 'any value can be a reason' }
    const controller = new AbortController()
    const first = model
      .stream({ messages: [hello], ...brief, signal: controller.signal })
      [Symbol.asyncIterator]()
      .next()
    setTimeout(() => controller.abort(reason), 30)
    await expect(first).rejects.toBe(reason)
  },
  'abort-mid-stream': async (model) => {
    const reason = new Error('stop')
    const controller = new AbortController()
    const seen: string[] = []
    const run = async () => {
      for await (const event of model.stream({ messages: [hello], ...brief, signal: controller.signal })) {
        seen.push(event.type)
        controller.abort(reason)
      }
    }
    await expect(run()).rejects.toBe(reason)
    expect(seen.length).toBeGreaterThan(0)
    expect(seen).not.toContain('finish')
  },
  'break-mid-stream': async (model) => {
    for await (const event of model.stream({ messages: [hello], ...brief })) {
      expect(event.type).not.toBe('finish')
      break
    }
    finishOf(await collect(model, { messages: [hello], ...brief }))
  },
  overflow: async (model) => {
    const sentences = Math.ceil((model.contextWindow ?? 8192) / 3) // ten words each: three times the window
    const words = 'every word of this sentence takes up a little room '.repeat(sentences)
    const call = collect(model, { messages: [{ role: 'user', text: words }], ...brief })
    await expect(call).rejects.toMatchObject({ code: 'chat/context-overflow' })
  },
}

/** Reads a whole answer to a frozen request, and checks what holds for every stream. */
async function collect(model: ChatModel, request: ChatRequest): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of model.stream(deepFreeze(request))) events.push(event)
  const end = finishOf(events)
  expect(JSON.parse(JSON.stringify(events)), 'events are plain JSON').toEqual(events)
  expect(joined(events, 'text-delta')).toBe(end.message.text)
  expect(joined(events, 'reasoning-delta')).toBe(end.message.reasoning ?? '')
  const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))
  expect(calls).toEqual(end.message.toolCalls ?? [])
  return events
}

function finishOf(events: readonly ChatEvent[]): Extract<ChatEvent, { type: 'finish' }> {
  const ends = events.filter((event) => event.type === 'finish')
  expect(ends, 'exactly one finish').toHaveLength(1)
  expect(events.at(-1)).toBe(ends[0])
  return ends[0] as Extract<ChatEvent, { type: 'finish' }>
}

function joined(events: readonly ChatEvent[], type: 'text-delta' | 'reasoning-delta'): string {
  return events.map((event) => (event.type === type ? event.text : '')).join('')
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof AbortSignal) return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}
