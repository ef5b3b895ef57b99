import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { generate } from '../generate.js'
import { generateObject } from '../generate-object.js'
import { recoverToolCalls } from '../recover-tool-calls.js'
import { describeChatModel } from '../testing/conformance.js'
import type { Message, ToolSpec } from '../types.js'
import { normalizeOllamaHost } from './ollama.js'
import { openaiCompatible } from './openai-compatible.js'

// Runs against the /v1 of a real Ollama: OLLAMA_HOST names it, and it has this model. Only structure is asserted.
const host = process.env.OLLAMA_HOST
const model = 'qwen2.5-coder:0.5b'

if (host === undefined || host === '') {
  it.skip('OpenAI-compatible end to end: set OLLAMA_HOST to run it', () => undefined)
} else {
  const baseUrl = `${normalizeOllamaHost(host).href.replace(/\/$/, '')}/v1`
  describeChatModel("real Ollama's /v1", () => ({ model: openaiCompatible({ model, baseUrl }) }), {
    // This model writes its calls as text, which is a matter of the loop, and it does not think. Overflow: below, where
    // the window is known; here the model says it only after its first answer.
    without: ['tool-call', 'parallel-calls', 'reasoning', 'overflow'],
  })
  describe("real Ollama's /v1", () => describeServer(baseUrl))
}

function describeServer(baseUrl: string): void {
  const hello: Message[] = [{ role: 'user', text: 'Say hello.' }]
  const search: ToolSpec = {
    name: 'search',
    description: 'Searches the library and returns titles.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  }
  const make = (name = model) => openaiCompatible({ model: name, baseUrl })

  it('reports tokens, and knows the window of the loaded model', async () => {
    const ours = make()
    const { usage, reason } = await generate(ours, { messages: hello, maxOutputTokens: 3 })
    expect(usage.inputTokens).toBeGreaterThan(5)
    expect(usage.outputTokens).toBeGreaterThan(0)
    expect(usage.outputTokens).toBeLessThanOrEqual(3)
    expect(['stop', 'length']).toContain(reason)
    expect(ours.contextWindow).toBeGreaterThanOrEqual(2048)
  })

  it('A01: a prompt that is cut without a word is an error', async () => {
    const ours = make()
    await generate(ours, { messages: hello, maxOutputTokens: 32 })
    const window = ours.contextWindow ?? 0
    expect(window).toBeGreaterThan(0)
    const text = 'every word of this sentence takes up a little room '.repeat(Math.ceil(window / 8))
    const call = generate(ours, { messages: [{ role: 'user', text }], maxOutputTokens: 32 })
    await expect(call).rejects.toMatchObject({ code: 'chat/context-overflow' })
  })

  it('says which models are there when the wanted one is not', async () => {
    await expect(generate(make('qwen2.5-codr:0.5b'), { messages: hello })).rejects.toMatchObject({
      code: 'chat/model-missing',
      instead: expect.stringContaining('qwen2.5-coder:0.5b'),
      details: { available: expect.arrayContaining([model]) },
    })
  })

  it('makes a call, native or as text, that recoverToolCalls reads', async () => {
    const messages: Message[] = [
      { role: 'system', text: 'Answer only by calling a tool.' },
      { role: 'user', text: 'Search the library for "rust ownership".' },
    ]
    const request = { messages, tools: [search], temperature: 0, maxOutputTokens: 128 }
    const { message } = await generate(make(), request)
    const calls = message.toolCalls ?? recoverToolCalls(message.text, [search])
    expect(calls, message.text).toMatchObject([{ name: 'search', arguments: { query: expect.any(String) } }])
  })

  it('gives an object that validates', async () => {
    const schema = z.object({ title: z.string(), hours: z.number().int() })
    const messages: Message[] = [
      { role: 'user', text: 'Plan one short lesson about Rust: its title and its hours.' },
    ]
    const { object } = await generateObject(make(), {
      messages,
      schema,
      temperature: 0,
      maxOutputTokens: 100,
    })
    expect(object).toEqual({ title: expect.any(String), hours: expect.any(Number) })
  })

  it('takes a whole conversation with two calls of one tool and their results', async () => {
    const call = (id: string, query: string) => ({ id, name: 'search', arguments: { query } })
    const messages: Message[] = [
      { role: 'user', text: 'Who wrote the Rust book and the C book? Answer in one sentence.' },
      { role: 'assistant', text: '', toolCalls: [call('call-1', 'rust'), call('call-2', 'c')] },
      { role: 'tool', toolCallId: 'call-1', toolName: 'search', text: 'Klabnik and Nichols' },
      { role: 'tool', toolCallId: 'call-2', toolName: 'search', text: 'Kernighan and Ritchie' },
    ]
    const { message } = await generate(make(), { messages, tools: [search], maxOutputTokens: 8 })
    expect(message.text + JSON.stringify(message.toolCalls ?? '')).not.toBe('""')
  })

  it('refuses tools on a model without them', async (context) => {
    const plain = 'smollm2:135m'
    const listed = await fetch(`${baseUrl}/models`).then((response) => response.text())
    if (!listed.includes(`"${plain}"`)) context.skip(`${plain} is not there`)
    const call = generate(make(plain), { messages: hello, tools: [search] })
    await expect(call).rejects.toMatchObject({ code: 'chat/no-tool-support' })
  })
}
