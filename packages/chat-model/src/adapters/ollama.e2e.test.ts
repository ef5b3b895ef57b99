import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { generate } from '../generate.js'
import { generateObject } from '../generate-object.js'
import { recoverToolCalls } from '../recover-tool-calls.js'
import { describeChatModel } from '../testing/conformance.js'
import type { Message, ToolSpec } from '../types.js'
import { isOllamaReachable, listOllamaModels, ollama, showOllamaModel } from './ollama.js'

// Runs against a real server: OLLAMA_HOST names it, and it has this model. Only structure is asserted, never wording.
const host = process.env.OLLAMA_HOST
const model = 'qwen2.5-coder:0.5b'
const contextWindow = 4096

if (host === undefined || host === '') {
  it.skip('Ollama end to end: set OLLAMA_HOST to run it', () => undefined)
} else {
  describeChatModel('real Ollama', () => ({ model: ollama({ model, contextWindow }) }), {
    // This model writes its calls as text, which is a matter of the loop, and it does not think.
    without: ['tool-call', 'parallel-calls', 'reasoning'],
  })
  describe('real Ollama', () => describeServer())
}

function describeServer(): void {
  const hello: Message[] = [{ role: 'user', text: 'Say hello.' }]
  const search: ToolSpec = {
    name: 'search',
    description: 'Searches the library and returns titles.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  }

  it('is reachable, lists the model and shows what it can do', async () => {
    expect(await isOllamaReachable({ timeoutMs: 5_000 })).toMatch(/^\d+\.\d+/)
    expect((await listOllamaModels()).find(({ name }) => name === model)?.sizeBytes).toBeGreaterThan(1e8)
    const details = await showOllamaModel({ model })
    expect(details).toMatchObject({
      capabilities: expect.arrayContaining(['completion', 'tools']),
      contextLength: 32768,
    })
  })

  it('reports tokens and times', async () => {
    const { usage } = await generate(ollama({ model, contextWindow }), {
      messages: hello,
      maxOutputTokens: 8,
    })
    expect(usage.inputTokens).toBeGreaterThan(5)
    expect(usage.outputTokens).toBeGreaterThan(0)
    expect(usage.outputTokens).toBeLessThanOrEqual(8)
    expect(usage.promptMs).toBeGreaterThan(0)
  })

  it('says which models are there when the wanted one is not', async () => {
    const call = generate(ollama({ model: 'qwen2.5-codr:0.5b' }), { messages: hello })
    await expect(call).rejects.toMatchObject({
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
    const { message } = await generate(ollama({ model, contextWindow }), request)
    const calls = message.toolCalls ?? recoverToolCalls(message.text, [search])
    expect(calls, message.text).toMatchObject([{ name: 'search', arguments: { query: expect.any(String) } }])
  })

  it('gives an object that validates', async () => {
    const schema = z.object({ title: z.string(), hours: z.number().int() })
    const messages: Message[] = [
      { role: 'user', text: 'Plan one short lesson about Rust: its title and its hours.' },
    ]
    const request = { messages, schema, temperature: 0, maxOutputTokens: 100 }
    const { object } = await generateObject(ollama({ model, contextWindow }), request)
    expect(object).toEqual({ title: expect.any(String), hours: expect.any(Number) })
  })

  it('keeps a whole conversation with a tool, and stops at the cap', async () => {
    const messages: Message[] = [
      { role: 'system', text: 'Use the tool, then answer in one sentence.' },
      { role: 'user', text: 'Who wrote the Rust book?' },
      {
        role: 'assistant',
        text: '',
        toolCalls: [{ id: 'call-1', name: 'search', arguments: { query: 'rust book' } }],
      },
      {
        role: 'tool',
        toolCallId: 'call-1',
        toolName: 'search',
        text: 'The Rust Programming Language, by Klabnik and Nichols',
      },
    ]
    const { message, reason } = await generate(ollama({ model, contextWindow }), {
      messages,
      maxOutputTokens: 3,
    })
    expect(message.text).not.toBe('')
    expect(reason).toBe('length')
  })

  it('refuses tools on a model without them', async (context) => {
    const plain = 'smollm2:135m'
    if (!(await listOllamaModels()).some(({ name }) => name === plain)) context.skip(`${plain} is not there`)
    const call = generate(ollama({ model: plain }), { messages: hello, tools: [search] })
    await expect(call).rejects.toMatchObject({ code: 'chat/no-tool-support' })
  })
}
