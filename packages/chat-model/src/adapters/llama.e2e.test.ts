import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeChatModel } from '../testing/conformance.js'
import type { ChatEvent, ChatRequest, Message } from '../types.js'
import { llamaCpp } from './llama.js'
import { type LlamaEngine, openLlamaEngine } from './llama-engine.js'
import { createLlamaModel } from './llama-model.js'

// A real model: ICM_TEST_GGUF names the file of a small instruction-tuned one (0.5B is enough).
const modelPath = process.env.ICM_TEST_GGUF ?? ''
// One thread: several wait for each other in busy loops, which is many times slower where other work runs beside.
const threads = 1

describe.skipIf(modelPath === '')('the embedded engine on a real model (set ICM_TEST_GGUF)', () => {
  let engine: LlamaEngine
  let model: ReturnType<typeof createLlamaModel>

  beforeAll(async () => {
    engine = await openLlamaEngine({ modelPath, contextSize: 2048, threads })
    model = createLlamaModel(engine)
  })
  afterAll(() => model?.[Symbol.asyncDispose]())

  /** Runs a request; `read` is how many tokens of its prompt the engine really evaluated. */
  async function run(request: ChatRequest) {
    const before = engine.sequence.tokenMeter.getState()
    const events: ChatEvent[] = []
    for await (const event of model.stream({ temperature: 0, ...request })) events.push(event)
    const last = events.at(-1)
    if (last?.type !== 'finish') throw new TypeError(`The last event is ${last?.type}.`)
    const { usedInputTokens: read } = engine.sequence.tokenMeter.diff(before)
    const text = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')
    expect(text).toBe(last.message.text)
    return { ...last, read, prompt: last.usage.inputTokens ?? 0 }
  }

  it('answers a question', async () => {
    const messages = [{ role: 'user', text: 'What is the capital of France? Answer in one word.' }] as const
    const { message, reason, usage } = await run({ messages, maxOutputTokens: 20 })
    expect(message.text).toMatch(/Paris/)
    expect(reason).toBe('stop')
    expect(usage.outputTokens).toBeLessThan(20)
  })

  it('reads only what is new: in a tool loop, and in items with the same instructions', async () => {
    const parameters = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] }
    const tools = [{ name: 'search', description: 'Searches the library.', inputSchema: parameters }]
    const messages: Message[] = [
      {
        role: 'system',
        text: `You research tea. ${'Name the document that each fact comes from. '.repeat(10)}`,
      },
      { role: 'user', text: 'Search for green tea.' },
    ]
    let before = await run({ messages, tools, maxOutputTokens: 40 })
    for (const result of ['green-tea.md', 'nothing', 'white-tea.md']) {
      const call = { id: `call-${messages.length}`, name: 'search', arguments: { query: 'green tea' } }
      // A small model often writes the call as text; the loop then puts it in as a call, as here.
      messages.push({ role: 'assistant', text: '', toolCalls: [call] })
      messages.push({ role: 'tool', toolCallId: call.id, toolName: 'search', text: result })
      const next = await run({ messages, tools, maxOutputTokens: 40 })
      expect(next.read).toBeLessThanOrEqual(next.prompt - before.prompt)
      before = next
    }
    const item = (name: string) =>
      run({
        messages: [
          { role: 'system', text: 'You write courses.' },
          { role: 'user', text: `${'Write in plain words. '.repeat(30)}\nModule: ${name}` },
        ],
        maxOutputTokens: 5,
      })
    await item('leaves')
    for (const name of ['water', 'cups']) expect((await item(name)).read).toBeLessThan(20)
  })

  it('holds an answer to its schema', async () => {
    const outputSchema = {
      type: 'object',
      properties: { name: { type: 'string' }, kind: { enum: ['green', 'black'] }, cups: { type: 'integer' } },
      required: ['name', 'kind'],
    }
    const messages = [{ role: 'user', text: 'Describe Sencha, a green tea, as JSON.' }] as const
    const { message } = await run({ messages, outputSchema, maxOutputTokens: 120 })
    const value = JSON.parse(message.text)
    expect(typeof value.name).toBe('string')
    expect(['green', 'black']).toContain(value.kind)
    expect(Object.keys(value).every((key) => ['name', 'kind', 'cups'].includes(key))).toBe(true)
  })

  it('writes a required call with arguments of the schema', async () => {
    const inputSchema = {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    }
    const tools = [
      { name: 'weather', description: 'Tells the weather of a city.', inputSchema },
      { name: 'send_mail', description: 'Sends a mail.', inputSchema: { type: 'object', properties: {} } },
    ]
    const messages = [{ role: 'user', text: 'How is the weather in Rome?' }] as const
    const { message, reason } = await run({ messages, tools, toolChoice: 'required', maxOutputTokens: 80 })
    expect(reason).toBe('tool-calls')
    expect(message.toolCalls?.[0]).toMatchObject({
      name: 'weather',
      arguments: { city: expect.stringMatching(/Rome/) },
    })
  })

  it('stops within a long prompt when it is aborted, and answers the next request', async () => {
    const controller = new AbortController()
    const reason = { why: 'enough' }
    const messages = [{ role: 'user', text: 'Tea is a drink made from leaves. '.repeat(200) }] as const
    const running = run({ messages, signal: controller.signal })
    setTimeout(() => controller.abort(reason), 200)
    await expect(running).rejects.toBe(reason)
    const { message } = await run({ messages: [{ role: 'user', text: 'Say yes.' }], maxOutputTokens: 5 })
    expect(message.text).not.toBe('')
    expect(engine.sequence.nextTokenIndex).toBeLessThan(200)
  })
})

if (modelPath !== '') {
  const loaded = llamaCpp({ modelPath, contextSize: 1024, threads })
  afterAll(async () => (await loaded)[Symbol.asyncDispose]())
  // Without what this model does not do: it has no thinking, writes calls as text, and gives one call at a time.
  describeChatModel('llamaCpp on a real model', async () => ({ model: await loaded }), {
    without: ['reasoning', 'tool-call', 'parallel-calls'],
  })
}
