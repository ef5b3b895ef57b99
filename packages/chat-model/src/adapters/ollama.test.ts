import { afterEach, describe, expect, it } from 'vitest'
import { ChatModelError } from '../errors.js'
import { type FakeOllama, type FakeOllamaOptions, startFakeOllama } from '../testing/index.js'
import type { ChatEvent, ChatModel, ChatRequest } from '../types.js'
import { ollama } from './ollama.js'

let fake: FakeOllama | undefined
afterEach(async () => {
  await fake?.close()
  fake = undefined
})

async function start(
  answer: FakeOllamaOptions['answer'],
  rest: Partial<FakeOllamaOptions> = {},
): Promise<FakeOllama> {
  fake = await startFakeOllama({ models: ['m'], answer, ...rest })
  return fake
}

async function collect(model: ChatModel, request: Partial<ChatRequest> = {}): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of model.stream({ messages: [{ role: 'user', text: 'hi' }], ...request }))
    events.push(event)
  return events
}

describe('ollama', () => {
  it('streams text and ends with usage', async () => {
    const { host } = await start(() => ({ text: 'one two', inputTokens: 7 }))
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
  it('throws on a missing model', async () => {
    const { host } = await start(() => '', { models: ['qwen2.5-coder:1.5b'] })
    const error = await collect(ollama({ model: 'qwen2.5-codr:1.5b', host })).catch(
      (caught: unknown) => caught,
    )
    expect(error).toBeInstanceOf(ChatModelError)
    expect(error).toMatchObject({
      code: 'chat/model-missing',
      instead: 'Run `ollama pull qwen2.5-codr:1.5b`, or use "qwen2.5-coder:1.5b".',
    })
  })
})
