import { describe, expect, it } from 'vitest'
import { ChatModelError } from '../errors.js'
import { generate } from '../generate.js'
import type { AssistantMessage, ChatRequest } from '../types.js'
import { type ConformanceScenario, conformanceAnswers, describeChatModel } from './conformance.js'
import { type ScriptedStep, scripted } from './scripted.js'

const { text, reasoning, toolCall, secondToolCall, toolResult, object } = conformanceAnswers

function calls(...list: { name: string; arguments: unknown }[]): AssistantMessage {
  return {
    role: 'assistant',
    text: '',
    toolCalls: list.map((call, index) => ({ id: `c-${index}`, ...call })),
  }
}

async function silence(request: ChatRequest): Promise<string> {
  await new Promise((resolve) => request.signal?.addEventListener('abort', resolve))
  return text
}

const scripts: { readonly [scenario in ConformanceScenario]: readonly ScriptedStep[] } = {
  text: [text],
  reasoning: [{ role: 'assistant', text, reasoning }],
  'tool-call': [calls(toolCall)],
  'parallel-calls': [calls(toolCall, secondToolCall)],
  'tool-result': [toolResult],
  'no-tools': [text],
  schema: [JSON.stringify(object)],
  'aborted-signal': [],
  'abort-before-first-byte': [silence],
  'abort-mid-stream': [text],
  'break-mid-stream': [text, text],
  overflow: [],
}

describeChatModel('scripted', (scenario) => ({ model: scripted(scripts[scenario]) }), {
  without: ['overflow'],
})

describe('scripted', () => {
  const request: ChatRequest = { messages: [{ role: 'user', text: 'hi' }] }

  it('takes texts, messages, errors and functions, in order', async () => {
    const failure = new ChatModelError({ code: 'chat/timeout', what: 'a', why: 'b', instead: 'c' })
    const model = scripted(['one', calls(toolCall), failure, ({ messages }) => `${messages.length} message`])
    expect((await generate(model, request)).message).toEqual({ role: 'assistant', text: 'one' })
    expect((await generate(model, request)).reason).toBe('tool-calls')
    await expect(generate(model, request)).rejects.toBe(failure)
    expect((await generate(model, request)).message.text).toBe('1 message')
    model.assertDone()
  })

  it('keeps the requests as they were', async () => {
    const model = scripted(['one', 'two'])
    const messages = [...request.messages]
    await generate(model, { messages })
    messages.push({ role: 'user', text: 'more' })
    await generate(model, { messages, temperature: 0.5 })
    expect(model.requests.map(({ messages: sent, temperature }) => [sent.length, temperature])).toEqual([
      [1, undefined],
      [2, 0.5],
    ])
  })

  it('fails on more requests than steps, then and at the end', async () => {
    const model = scripted(['one'])
    await generate(model, request)
    const mismatch = { code: 'chat/script-mismatch', details: { requests: 2, steps: 1 } }
    await expect(generate(model, request)).rejects.toMatchObject(mismatch)
    expect(() => model.assertDone()).toThrow(expect.objectContaining(mismatch))
  })

  it('fails on steps that are left over', () => {
    expect(() => scripted(['one']).assertDone()).toThrow('Only 0 of 1 steps')
  })

  it('reports the usage, reason, id and window that it was given', async () => {
    const model = scripted(['one'], {
      id: 'x',
      contextWindow: 10,
      usage: { inputTokens: 5 },
      reason: 'length',
    })
    expect([model.id, model.contextWindow]).toEqual(['x', 10])
    expect(await generate(model, request)).toMatchObject({ usage: { inputTokens: 5 }, reason: 'length' })
  })
})
