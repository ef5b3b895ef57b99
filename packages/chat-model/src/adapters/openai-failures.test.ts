import { afterEach, describe, expect, it } from 'vitest'
import { generate } from '../generate.js'
import {
  type FakeOpenAi,
  type FakeOpenAiAnswer,
  type FakeOpenAiOptions,
  startFakeOpenAi,
} from '../testing/index.js'
import type { ChatRequest } from '../types.js'
import { type OpenaiCompatibleOptions, openaiCompatible } from './openai-compatible.js'

let fake: FakeOpenAi | undefined
afterEach(async () => {
  await fake?.close()
  fake = undefined
})

async function fail(
  answer: FakeOpenAiAnswer,
  server: Partial<FakeOpenAiOptions> = {},
  options: Partial<OpenaiCompatibleOptions> = {},
  request: Partial<ChatRequest> = {},
): Promise<unknown> {
  await fake?.close()
  fake = await startFakeOpenAi({ kind: 'vllm', models: ['m'], answer: () => answer, ...server })
  const model = openaiCompatible({ model: 'm', baseUrl: fake.baseUrl, ...options })
  return generate(model, { messages: [{ role: 'user', text: 'hi' }], ...request }).catch(
    (error: unknown) => error,
  )
}

const long = 'word '.repeat(9_000)
const overlong = { messages: [{ role: 'user' as const, text: long }] }

describe('A11: a missing model', () => {
  it.each(['ollama', 'vllm'] as const)('on %s: names those that are there', async (kind) => {
    const error = await fail(
      '',
      { kind, models: ['qwen2.5-coder:1.5b', 'llama3.2:1b'] },
      { model: 'qwen2.5-codr:1.5b' },
    )
    expect(error).toMatchObject({
      code: 'chat/model-missing',
      why: 'The models there are: qwen2.5-coder:1.5b, llama3.2:1b.',
      instead: 'Use "qwen2.5-coder:1.5b", or load "qwen2.5-codr:1.5b" on the server.',
      details: { available: ['qwen2.5-coder:1.5b', 'llama3.2:1b'] },
    })
  })
})

describe('A01: a prompt that does not fit', () => {
  it.each(['llama-server', 'vllm'] as const)('is refused by %s', async (kind) => {
    const error = await fail('', { kind }, {}, overlong)
    expect(error).toMatchObject({ code: 'chat/context-overflow', retryable: false, details: { status: 400 } })
    expect(String(error)).toContain('now 8192 tokens')
  })

  it('is seen where Ollama cuts it on /v1', async () => {
    const error = await fail('Sure!', { kind: 'ollama' }, {}, overlong)
    expect(error).toMatchObject({ code: 'chat/context-overflow', details: { inputTokens: 8192 } })
    expect(String(error)).toContain('@icm/chat-model/ollama')
  })

  it('is seen by a count far below the estimate', async () => {
    const error = await fail({ text: 'Sure!', inputTokens: 2051 }, { kind: 'ollama' }, {}, overlong)
    expect(error).toMatchObject({ code: 'chat/context-overflow', details: { inputTokens: 2051 } })
  })

  it('is not suspected where the prompt is short, or where no count is given', async () => {
    expect(await fail({ text: 'ok', inputTokens: 1 })).toMatchObject({ message: { text: 'ok' } })
    const steps = [{ choices: [{ delta: { content: 'ok' }, finish_reason: 'stop' }] }]
    expect(await fail({ steps }, { kind: 'ollama' }, {}, overlong)).toMatchObject({ message: { text: 'ok' } })
  })
})

describe('a refusal', () => {
  // Texts: Ollama 0.17.4 from its source, llama-server b9038 and vLLM 0.11.2 from what is written about them.
  it.each<[FakeOpenAiOptions['kind'], string, number, string, boolean]>([
    ['ollama', 'registry.ollama.ai/library/m does not support tools', 400, 'chat/no-tool-support', false],
    ['ollama', '"m" does not support thinking', 400, 'chat/no-thinking-support', false],
    [
      'ollama',
      'invalid reasoning value: \'x\' (must be "high", "medium", "low", or "none")',
      400,
      'chat/no-thinking-support',
      false,
    ],
    [
      'ollama',
      'model requires more system memory (9.1 GiB) than is available (3.2 GiB)',
      500,
      'chat/out-of-memory',
      false,
    ],
    ['ollama', 'invalid message content type: <nil>', 400, 'chat/bad-request', false],
    ['llama-server', 'tools param requires --jinja flag', 500, 'chat/no-tool-support', false],
    [
      'llama-server',
      'the request exceeds the available context size. try increasing the context size or enable context shift',
      400,
      'chat/context-overflow',
      false,
    ],
    ['llama-server', 'Failed to parse grammar', 400, 'chat/bad-request', false],
    ['llama-server', 'Input prompt is too broken', 500, 'chat/server-error', true],
    [
      'vllm',
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      400,
      'chat/no-tool-support',
      false,
    ],
    [
      'vllm',
      'The decoder prompt (length 9000) is longer than the maximum model length of 4096.',
      400,
      'chat/context-overflow',
      false,
    ],
    ['vllm', 'EngineCore encountered an issue.', 500, 'chat/server-error', true],
  ])('of %s: "%s" with status %i', async (kind, error, status, code, retryable) => {
    const thrown = await fail({ error, status }, { kind })
    expect(thrown).toMatchObject({ code, retryable, details: { status } })
    expect(String(thrown)).toContain(error)
  })

  it.each([
    [
      'of vLLM before 0.10: the fields at the top',
      { object: 'error', message: 'no', type: 'BadRequestError', code: 400 },
    ],
    ['of FastAPI', { detail: 'no' }],
    ['of FastAPI, as a list', { detail: [{ loc: ['body', 'tools'], msg: 'no' }] }],
    ['an error as text', { error: 'no' }],
    ['an error without a text', { error: { kind: 'no' } }],
  ])('in another shape: %s', async (_, body) => {
    const error = await failWith(JSON.stringify(body), 422)
    expect(error).toMatchObject({ code: 'chat/bad-request', what: expect.stringMatching(/: .*no/) })
  })

  async function failWith(text: string, status: number): Promise<unknown> {
    const { startFakeHttp } = await import('../testing/fake-http.js')
    const server = await startFakeHttp(async ({ path, response }) => {
      response.writeHead(path.endsWith('/models') ? 404 : status).end(text)
    })
    const model = openaiCompatible({ model: 'm', baseUrl: `${server.host}/v1` })
    const request = { messages: [{ role: 'user' as const, text: 'hi' }] }
    return generate(model, request)
      .catch((error: unknown) => error)
      .finally(server.close)
  }

  it.each([404, 301, 405])('no such server: status %i', async (status) => {
    const error = await failWith('<html>nothing here</html>', status)
    expect(error).toMatchObject({ code: 'chat/server-error', instead: 'Check the option baseUrl.' })
  })

  it('wants a key: says so and never shows one', async () => {
    const error = await fail('ok', { kind: 'llama-server', apiKey: 'right' }, { apiKey: 'sk-wrong' })
    expect(error).toMatchObject({ code: 'chat/bad-request', instead: expect.stringContaining('apiKey') })
    expect(JSON.stringify(error) + String(error)).not.toContain('sk-wrong')
    expect(await fail('ok', { apiKey: 'right' }, { apiKey: 'right' })).toMatchObject({
      message: { text: 'ok' },
    })
    expect(await fail('ok', { apiKey: 'right' })).toMatchObject({ code: 'chat/bad-request' })
  })
})

describe('A09: a failure in the middle of an answer', () => {
  it.each(['llama-server', 'vllm'] as const)('of %s is sorted by its text', async (kind) => {
    const error = await fail({ text: 'so far', error: 'CUDA error: out of memory' }, { kind })
    expect(error).toMatchObject({ code: 'chat/out-of-memory', what: expect.stringContaining('CUDA error') })
  })

  it('of Ollama has lost its text, and counts as broken off', async () => {
    const error = await fail({ text: 'so far', error: 'unexpected EOF' }, { kind: 'ollama' })
    expect(error).toMatchObject({ code: 'chat/stream-corrupt', retryable: true })
  })

  it('in the field of older llama-servers', async () => {
    const steps = [
      { choices: [{ delta: { content: 'so' } }] },
      {
        raw: 'error: {"code":400,"message":"the request exceeds the available context size","type":"invalid_request_error"}\n\n',
      },
    ]
    expect(await fail({ steps })).toMatchObject({ code: 'chat/context-overflow', details: { status: 400 } })
  })

  it('of an engine that gave up', async () => {
    const steps = [{ choices: [{ delta: { content: 'so' }, finish_reason: 'abort' }] }]
    expect(await fail({ steps })).toMatchObject({ code: 'chat/server-error', retryable: true })
  })
})

describe('A08: a damaged stream', () => {
  const hello = { choices: [{ delta: { content: 'a' } }] }
  it.each<[string, FakeOpenAiAnswer]>([
    [
      'a broken event',
      { steps: [{ raw: 'data: {"choices":[{"del\n\n' }, { ...hello, finish_reason: 'stop' }] },
    ],
    ['no end', { steps: [hello] }],
    ['a cut connection', { steps: [hello, { cut: true }] }],
    ['half an event before the cut', { steps: [{ raw: 'data: {"ch' }, { cut: true }] }],
    ['nothing at all', { steps: [] }],
    [
      'a call without its end',
      {
        steps: [
          {
            choices: [
              {
                delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'purge', arguments: '{}' } }] },
              },
            ],
          },
        ],
      },
    ],
  ])('%s', async (_, answer) => {
    expect(await fail(answer)).toMatchObject({ code: 'chat/stream-corrupt', retryable: true })
  })
})

describe('A03: an answer of nothing, cut by its length', () => {
  it.each([
    [{ text: '', finishReason: 'length' }, 'left no room'],
    [{ reasoning: 'I wonder', finishReason: 'length' }, 'Thinking took them all'],
  ])('%j', async (answer, why) => {
    const error = await fail(answer, {}, {}, { maxOutputTokens: 5 })
    expect(error).toMatchObject({ code: 'chat/output-budget-exhausted', why: expect.stringContaining(why) })
    expect(String(error)).toContain('Raise maxOutputTokens (now 5)')
  })

  it('that stopped by itself is an answer', async () => {
    expect(await fail('')).toMatchObject({ reason: 'stop', message: { text: '' } })
  })
})

describe('A13: a server that loads its model', () => {
  it('is waited for', async () => {
    const answer = await fail('ok', { kind: 'llama-server', loadingAnswers: 2 })
    expect(answer).toMatchObject({ message: { text: 'ok' } })
    expect(fake?.requests.map((request) => request.path)).toEqual([
      '/v1/models',
      '/v1/models',
      '/v1/models',
      '/v1/chat/completions',
    ])
  })

  it('is not waited for longer than the limit of the first token', async () => {
    const limits = { firstTokenTimeoutMs: 400 }
    const error = await fail('ok', { kind: 'llama-server', loadingAnswers: 1_000 }, { limits })
    expect(error).toMatchObject({ code: 'chat/server-error', retryable: true })
    expect(String(error)).toContain('Loading model')
  })

  it('can be left while it is waited for', async () => {
    const reason = new Error('enough')
    const { signal, abort } = abortable()
    setTimeout(() => abort(reason), 50)
    const thrown = await fail('ok', { kind: 'llama-server', loadingAnswers: 1_000 }, {}, { signal })
    expect(thrown).toBe(reason)
  })
})

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: (reason: unknown) => controller.abort(reason) }
}

it('no server: where, why and how to start one', async () => {
  await fail('')
  const baseUrl = fake?.baseUrl ?? ''
  await fake?.close()
  fake = undefined
  const error = await generate(openaiCompatible({ model: 'm', baseUrl }), { messages: [] }).catch(
    (caught: unknown) => caught,
  )
  expect(error).toMatchObject({ code: 'chat/unreachable', retryable: true })
  expect(String(error)).toContain(new URL(baseUrl).host)
  expect(String(error)).toContain('llama-server')
})
