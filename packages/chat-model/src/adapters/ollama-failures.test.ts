import { afterEach, describe, expect, it } from 'vitest'
import { generate } from '../generate.js'
import {
  type FakeOllama,
  type FakeOllamaAnswer,
  type FakeOllamaOptions,
  startFakeOllama,
} from '../testing/index.js'
import type { ChatRequest } from '../types.js'
import { type OllamaOptions, ollama } from './ollama.js'

let fake: FakeOllama | undefined
afterEach(async () => {
  await fake?.close()
  fake = undefined
})

async function fail(
  answer: FakeOllamaAnswer,
  options: Partial<OllamaOptions> = {},
  request: Partial<ChatRequest> = {},
  server: Partial<FakeOllamaOptions> = {},
): Promise<unknown> {
  const models = ['m', { name: 'plain', capabilities: ['completion'] }]
  fake = await startFakeOllama({ models, answer: () => answer, ...server })
  const model = ollama({ model: 'm', host: fake.host, ...options })
  return generate(model, { messages: [{ role: 'user', text: 'hi' }], ...request }).catch(
    (error: unknown) => error,
  )
}

const tool = { name: 'search', description: 'Searches.', inputSchema: { type: 'object' } }
const long = 'word '.repeat(9_000)

describe('a missing model', () => {
  it('names those that are there, the nearest, and the command', async () => {
    const error = await fail(
      '',
      { model: 'qwen2.5-codr:1.5b' },
      {},
      { models: ['qwen2.5-coder:1.5b', 'llama3.2:1b'] },
    )
    expect(error).toMatchObject({
      code: 'chat/model-missing',
      why: 'The models there are: qwen2.5-coder:1.5b, llama3.2:1b.',
      instead: 'Run `ollama pull qwen2.5-codr:1.5b`, or use "qwen2.5-coder:1.5b".',
      details: { available: ['qwen2.5-coder:1.5b', 'llama3.2:1b'] },
    })
    expect(fake?.chats).toEqual([])
  })

  it('on a server without any', async () => {
    const error = await fail('', { model: 'x' }, {}, { models: [] })
    expect(error).toMatchObject({ why: 'No model has been pulled yet.', instead: 'Run `ollama pull x`.' })
  })

  it('finds one by its name without :latest', async () => {
    const server = { models: ['llama3:latest'] }
    expect(await fail('ok', { model: 'llama3' }, {}, server)).toMatchObject({ message: { text: 'ok' } })
  })
})

describe('a refusal', () => {
  it('tools on a model without them are refused before the server is bothered', async () => {
    const error = await fail('', { model: 'plain' }, { tools: [tool] })
    expect(error).toMatchObject({ code: 'chat/no-tool-support', retryable: false })
    expect(fake?.chats).toEqual([])
  })

  it('a prompt that does not fit', async () => {
    const error = await fail('', {}, { messages: [{ role: 'user', text: long }] })
    expect(error).toMatchObject({ code: 'chat/context-overflow', details: { status: 400 } })
    expect(String(error)).toContain('contextWindow (now 8192 tokens)')
  })

  it.each<[string, number, string, boolean]>([
    [
      'model requires more system memory (9.1 GiB) than is available (3.2 GiB)',
      500,
      'chat/out-of-memory',
      false,
    ],
    [
      'llama runner process has terminated: cudaMalloc failed: out of memory',
      500,
      'chat/out-of-memory',
      false,
    ],
    ['llama runner process has terminated: signal: killed', 500, 'chat/out-of-memory', false],
    ['server busy, please try again. maximum pending requests exceeded', 503, 'chat/server-error', true],
    ['registry.ollama.ai/library/m does not support tools', 400, 'chat/no-tool-support', false],
    ['think value "low" is not supported for this model', 400, 'chat/no-thinking-support', false],
    ['the input length exceeds the context length', 400, 'chat/context-overflow', false],
    ['the request exceeds the available context size', 500, 'chat/context-overflow', false],
    ['invalid options: num_ctx', 400, 'chat/bad-request', false],
    ['llama runner process has terminated: exit status 2', 500, 'chat/server-error', true],
  ])('"%s" with status %i', async (error, status, code, retryable) => {
    const thrown = await fail({ error, status }, { limits: { firstTokenTimeoutMs: 300 } })
    expect(thrown).toMatchObject({ code, retryable, details: { status } })
    expect(String(thrown)).toContain(error)
  })

  it('in the middle of an answer is sorted by its text', async () => {
    const error = await fail({
      text: 'so far',
      error: 'an error was encountered while running the model: out of memory',
    })
    expect(error).toMatchObject({
      code: 'chat/out-of-memory',
      what: expect.stringContaining('middle of an answer'),
    })
    await fake?.close()
    expect(await fail({ text: 'so far', error: 'unexpected EOF' })).toMatchObject({
      code: 'chat/server-error',
    })
  })
})

describe('a silent cut of an older server', () => {
  const older = { refusesOverflow: false }
  it('is seen by a count far below the estimate', async () => {
    const request = { messages: [{ role: 'user' as const, text: long }] }
    const error = await fail({ text: 'Sure!', inputTokens: 2051 }, {}, request, older)
    expect(error).toMatchObject({ code: 'chat/context-overflow', details: { inputTokens: 2051 } })
  })

  it('is seen by a prompt that fills the whole window', async () => {
    const error = await fail({ text: 'Sure!', inputTokens: 8192 }, {}, {}, older)
    expect(error).toMatchObject({ code: 'chat/context-overflow' })
  })

  it('is not suspected where the prompt is short, or where no count is given', async () => {
    expect(await fail({ text: 'ok', inputTokens: 1 })).toMatchObject({ message: { text: 'ok' } })
    await fake?.close()
    const lines = [{ message: { content: 'ok' }, done: true }]
    const request = { messages: [{ role: 'user' as const, text: long }] }
    expect(await fail({ lines }, {}, request, older)).toMatchObject({ message: { text: 'ok' }, usage: {} })
  })
})

describe('an answer of nothing', () => {
  it.each([
    [{ text: '', doneReason: 'length' }, 'The prompt took 10 of the 8192 tokens'],
    [{ reasoning: 'I wonder', doneReason: 'length' }, 'Thinking took them all'],
    [{ text: '<think>I wonder', doneReason: 'length' }, 'Thinking took them all'],
    [{ text: ' \n ', doneReason: 'length' }, 'The prompt took'],
  ])('cut by its length: %j', async (answer, why) => {
    const error = await fail({ ...answer, inputTokens: 10 }, {}, { maxOutputTokens: 5 })
    expect(error).toMatchObject({ code: 'chat/output-budget-exhausted', why: expect.stringContaining(why) })
    expect(String(error)).toContain('Raise maxOutputTokens (now 5)')
  })

  it('that stopped by itself is an answer', async () => {
    expect(await fail({ text: '' })).toMatchObject({ reason: 'stop', message: { text: '' } })
  })
})

describe('a damaged stream', () => {
  it.each<[string, FakeOllamaAnswer]>([
    [
      'a broken line',
      { lines: [{ raw: '{"message":{"content":"a"\n' }, { message: { content: 'b' }, done: true }] },
    ],
    ['no last line', { lines: [{ message: { content: 'a' }, done: false }] }],
    ['a cut connection', { lines: [{ message: { content: 'a' }, done: false }, { cut: true }] }],
    ['a half line before the cut', { lines: [{ raw: '{"mess' }, { cut: true }] }],
    ['nothing at all', { lines: [] }],
  ])('%s', async (_, answer) => {
    expect(await fail(answer)).toMatchObject({ code: 'chat/stream-corrupt', retryable: true })
  })
})

describe('no Ollama', () => {
  it('a closed port: where, why and how to start it', async () => {
    fake = await startFakeOllama({ models: [], answer: () => '' })
    const { host } = fake
    await fake.close()
    const error = await generate(ollama({ model: 'm', host }), { messages: [] }).catch(
      (caught: unknown) => caught,
    )
    expect(error).toMatchObject({ code: 'chat/unreachable', retryable: true })
    expect(String(error)).toContain(new URL(host).host)
    expect(String(error)).toContain('ollama serve')
    fake = undefined
  })

  it('a limit that is over names itself', async () => {
    const limits = { firstTokenTimeoutMs: 300 }
    const error = await fail({ text: 'late', delayMs: 60_000 }, { limits })
    expect(error).toMatchObject({ code: 'chat/timeout', details: { limit: 'firstTokenTimeoutMs' } })
  })

  it.each([
    { host: 'ftp://x', keepAlive: 1 },
    { host: 'box', keepAlive: 'soon' },
  ])('%j is refused at once', (options) => {
    expect(() => ollama({ model: 'm', ...options })).toThrow(
      expect.objectContaining({ code: 'chat/bad-option' }),
    )
  })
})
