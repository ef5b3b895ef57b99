import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { writeTinyGguf } from '../testing/write-tiny-gguf.js'
import type { AssistantMessage, ChatRequest, Message } from '../types.js'
import { type LlamaEngine, openLlamaEngine } from './llama-engine.js'
import { createLlamaModel } from './llama-model.js'

// Loading a model takes a second, and many on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let folder: string
let engine: LlamaEngine
let model: ReturnType<typeof createLlamaModel>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiny-gguf-'))
  const modelPath = join(folder, 'tiny.gguf')
  await writeTinyGguf(modelPath, { says: ['T', 'e', 'a', '!'] })
  engine = await openLlamaEngine({ modelPath, contextSize: 2048, threads: 1 })
  model = createLlamaModel(engine)
}, 120_000)

afterAll(async () => {
  await model?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a request and counts the tokens of its prompt, and those of them that the engine really read. */
async function measure(request: ChatRequest) {
  const before = engine.sequence.tokenMeter.getState()
  for await (const event of model.stream(request)) {
    if (event.type !== 'finish') continue
    const { usedInputTokens: read } = engine.sequence.tokenMeter.diff(before)
    const { inputTokens: prompt = 0, cachedInputTokens: cached = -1 } = event.usage
    return { read, prompt, cached, message: event.message }
  }
  throw new TypeError('The stream ended without a finish event.')
}

const search = {
  name: 'search',
  description: 'Looks words up.',
  inputSchema: { type: 'object', properties: {} },
}
const instructions = 'Write a paragraph about the given module. '.repeat(10)

it('reads only the tail of items that begin alike', async () => {
  const item = (name: string): ChatRequest => ({
    messages: [
      { role: 'system', text: 'You write courses.' },
      { role: 'user', text: `${instructions}\nModule: ${name}` },
    ],
  })
  const first = await measure(item('leaves'))
  expect(first.read).toBe(first.prompt - 1)
  expect(first.cached).toBe(0)
  for (const name of ['water', 'cups']) {
    const { read, prompt, cached } = await measure(item(name))
    expect(cached).toBe(prompt - 1 - read)
    expect(prompt).toBeGreaterThan(400)
    // The name itself and the marks that end it and open the answer.
    expect(read).toBeLessThan(name.length + 20)
  }
})

it('reads only what is new in each turn of a tool loop', async () => {
  const messages: Message[] = [
    { role: 'system', text: instructions },
    { role: 'user', text: 'Look tea up.' },
  ]
  const request = (): ChatRequest => ({ messages, tools: [search], toolChoice: 'required' })
  let { prompt, message } = await measure(request())
  for (let turn = 2; turn <= 4; turn++) {
    messages.push(message, toolResult(message, `Document ${turn} is about tea.`))
    const next = await measure(request())
    expect(next.prompt).toBeGreaterThan(prompt)
    expect(next.read).toBeLessThanOrEqual(next.prompt - prompt)
    ;({ prompt, message } = next)
  }
})

it('reads only what is new when a text without calls ends a tool loop, and writes one', async () => {
  const messages: Message[] = [
    { role: 'system', text: instructions },
    { role: 'user', text: 'Look tea up.' },
  ]
  const call = await measure({ messages, tools: [search], toolChoice: 'required' })
  messages.push(call.message, toolResult(call.message, 'Tea is green.'), { role: 'user', text: 'Write.' })
  const ending: ChatRequest = { messages, tools: [search], toolChoice: 'none', maxOutputTokens: 8 }
  const last = await measure(ending)
  expect(last.read).toBeLessThanOrEqual(last.prompt - call.prompt)
  expect(last.message.toolCalls).toBeUndefined()
  expect(last.message.text.trim()).not.toBe('')
})

it('writes a text where the model would call, or end at once', async () => {
  for (const says of [['<tool_call>', 'x'], []]) {
    const modelPath = join(folder, `silent-${says.length}.gguf`)
    await writeTinyGguf(modelPath, { says })
    await using silent = createLlamaModel(await openLlamaEngine({ modelPath, contextSize: 1024, threads: 1 }))
    const request: ChatRequest = {
      messages: [{ role: 'user', text: 'Write.' }],
      tools: [search],
      maxOutputTokens: 8,
    }
    const texts: string[] = []
    for await (const event of silent.stream({ ...request, toolChoice: 'none' })) {
      if (event.type === 'text-delta') texts.push(event.text)
      if (event.type === 'finish') expect(event.message.text).toBe(texts.join(''))
    }
    expect(texts.join('')).toMatch(/^[^\s<{]/)
  }
})

it('does not even read its own answer again when the conversation goes on', async () => {
  const messages: Message[] = [{ role: 'user', text: instructions }]
  const first = await measure({ messages })
  expect(first.message.text).toBe('Tea!')
  messages.push(first.message, { role: 'user', text: 'Go on.' })
  const second = await measure({ messages })
  expect(second.read).toBeLessThanOrEqual(second.prompt - first.prompt - first.message.text.length)
})

it('never drops the beginning of a conversation, also where a call meets the end of the window', async () => {
  const modelPath = join(folder, 'caller.gguf')
  await writeTinyGguf(modelPath, { says: ['<tool_call>', '{"name": "'] })
  const small = await openLlamaEngine({ modelPath, contextSize: 512, threads: 1 })
  await using caller = createLlamaModel(small)
  const long = { ...search, name: `search_${'x'.repeat(83)}` }
  const reasons: string[] = []
  for (const length of [60, 130, 140, 150]) {
    const messages: Message[] = [{ role: 'user', text: 'y'.repeat(length) }]
    for await (const event of caller.stream({ messages, tools: [long] })) {
      if (event.type === 'finish') reasons.push(event.reason)
    }
    const held = small.model.detokenize([...small.sequence.contextTokens])
    expect(held).toContain('y'.repeat(length))
    expect(small.sequence.nextTokenIndex).toBeLessThan(512)
  }
  expect(reasons[0]).toBe('tool-calls')
  expect(reasons.at(-1)).toBe('length')
})

function toolResult({ toolCalls }: AssistantMessage, text: string): Message {
  const [call] = toolCalls ?? []
  return { role: 'tool', toolCallId: call?.id ?? '', toolName: call?.name ?? '', text }
}
