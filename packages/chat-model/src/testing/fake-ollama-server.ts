import { isSameOllamaModel } from '../adapters/ollama-show.js'
import {
  type FakeExchange,
  type FakeStep,
  pauseOf,
  playSteps,
  sendJson,
  sendText,
  startFakeHttp,
} from './fake-http.js'
import {
  type FakeChatBody,
  type FakeOllamaAnswer,
  type FakeOllamaLine,
  type FakeOllamaReply,
  linesOf,
} from './fake-ollama-answer.js'

export interface FakeOllamaModel {
  readonly name: string
  /** Default `['completion', 'tools']`. */
  readonly capabilities?: readonly string[]
  /** Default 32768. */
  readonly contextLength?: number
  readonly family?: string
  /** Bytes; default 1000. */
  readonly size?: number
}

export interface FakeOllamaOptions {
  /** The models that were "pulled". */
  readonly models: readonly (string | FakeOllamaModel)[]
  /** Called for each accepted `/api/chat`; `index` counts them from 0. */
  readonly answer: (body: FakeChatBody, index: number) => FakeOllamaAnswer | Promise<FakeOllamaAnswer>
  /** Default `'0.17.4'`. */
  readonly version?: string
  /** Older servers cut a prompt that does not fit; newer ones refuse it when `truncate` is false. Default true. */
  readonly refusesOverflow?: boolean
}

export interface FakeOllamaRequest {
  readonly path: string
  /** Exactly what came over the wire. */
  readonly bodyText: string
  /** Parsed; undefined for GET. */
  readonly body: FakeChatBody | undefined
  /** Settles when the exchange is over: answered to its end, cut off by the script, or left by the client. */
  readonly ended: Promise<'answered' | 'cut' | 'client-left'>
}

export interface FakeOllama {
  /** `http://127.0.0.1:<port>` */
  readonly host: string
  /** Every request, also `/api/show` and `/api/tags`. */
  readonly requests: readonly FakeOllamaRequest[]
  /** Those to `/api/chat`, refused ones included. */
  readonly chats: readonly FakeOllamaRequest[]
  close(): Promise<void>
}

/**
 * A real HTTP server on 127.0.0.1 that speaks Ollama's protocol from a script; for tests.
 *
 * Before the script is asked it refuses what a real 0.17.4 refuses: unknown models (404), tools or thinking for models
 * without them, arguments that are not an object, a `keep_alive` without a unit, and – with `truncate: false` – a
 * prompt that does not fit (400).
 */
export async function startFakeOllama(options: FakeOllamaOptions): Promise<FakeOllama> {
  const requests: FakeOllamaRequest[] = []
  const context: FakeContext = { options, models: options.models.map(asModel), answered: 0 }
  const server = await startFakeHttp(async (exchange) => {
    const { path, bodyText, ended } = exchange
    const body = bodyText === '' ? undefined : (JSON.parse(bodyText) as FakeChatBody)
    requests.push({ path, bodyText, body, ended })
    await respond(exchange, body, context)
  })
  return {
    host: server.host,
    requests,
    get chats() {
      return requests.filter((request) => request.path === '/api/chat')
    },
    close: server.close,
  }
}

interface FakeContext {
  readonly options: FakeOllamaOptions
  readonly models: readonly Required<FakeOllamaModel>[]
  answered: number
}

async function respond(
  exchange: FakeExchange,
  body: FakeChatBody | undefined,
  context: FakeContext,
): Promise<void> {
  const { path, response } = exchange
  const model = context.models.find((candidate) => isSameOllamaModel(candidate.name, body?.model ?? ''))
  if (path === '/api/version')
    return sendJson(response, 200, { version: context.options.version ?? '0.17.4' })
  if (path === '/api/tags') return sendJson(response, 200, { models: context.models.map(listing) })
  if (path !== '/api/show' && path !== '/api/chat') return sendText(response, 404, '404 page not found')
  if (model === undefined || body === undefined) {
    return sendJson(response, 404, { error: `model '${body?.model}' not found` })
  }
  if (path === '/api/show') return sendJson(response, 200, details(model))
  const inputTokens = countTokens(body)
  const refusal = refuse(body, model, inputTokens, context.options.refusesOverflow ?? true)
  if (refusal !== undefined) return sendJson(response, 400, { error: refusal })
  const answer = await context.options.answer(body, context.answered++)
  await sendReply(typeof answer === 'string' ? { text: answer } : answer, body, exchange, inputTokens)
}

function refuse(
  body: FakeChatBody,
  model: Required<FakeOllamaModel>,
  inputTokens: number,
  refusesOverflow: boolean,
): string | undefined {
  const can = (capability: string) => model.capabilities.includes(capability)
  if (typeof body.keep_alive === 'string' && !/[a-zµ]$/.test(body.keep_alive)) {
    return `time: missing unit in duration "${body.keep_alive}"`
  }
  const calls = body.messages.flatMap(
    (message) => (message.tool_calls ?? []) as { function: { arguments: unknown } }[],
  )
  if (calls.some((call) => typeof call.function.arguments !== 'object')) {
    return "Value looks like object, but can't find closing '}' symbol"
  }
  if ((body.tools ?? []).length > 0 && !can('tools')) {
    return `registry.ollama.ai/library/${model.name} does not support tools`
  }
  if (body.think !== undefined && body.think !== false && !can('thinking')) {
    return `"${body.model}" does not support thinking`
  }
  const window = Number(body.options?.num_ctx ?? 4096)
  if (refusesOverflow && body.truncate === false && inputTokens > window) {
    return 'the input length exceeds the context length'
  }
  return undefined
}

async function sendReply(
  reply: FakeOllamaReply,
  body: FakeChatBody,
  exchange: FakeExchange,
  inputTokens: number,
): Promise<void> {
  const { response } = exchange
  await pauseOf(response)(reply.delayMs)
  const refused = reply.error !== undefined && reply.text === undefined && reply.lines === undefined
  const status = reply.status ?? (refused ? 500 : 200)
  if (status !== 200) return sendJson(response, status, { error: reply.error ?? 'refused by the script' })
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  const steps = linesOf(reply, body, inputTokens).map((line) =>
    isStep(line) ? line : { raw: `${JSON.stringify(line)}\n` },
  )
  await playSteps(exchange, steps, reply.lineDelayMs)
}

function isStep(line: FakeOllamaLine): line is FakeStep {
  return 'raw' in line || 'waitMs' in line || 'cut' in line
}

function asModel(model: string | FakeOllamaModel): Required<FakeOllamaModel> {
  const defaults = {
    capabilities: ['completion', 'tools'],
    contextLength: 32_768,
    family: 'qwen2',
    size: 1_000,
  }
  return { ...defaults, ...(typeof model === 'string' ? { name: model } : model) }
}

function listing(model: Required<FakeOllamaModel>): object {
  const { name, size, family } = model
  return { name, model: name, modified_at: '2026-01-01T00:00:00Z', size, digest: 'fake', details: { family } }
}

function details(model: Required<FakeOllamaModel>): object {
  return {
    details: { format: 'gguf', family: model.family, parameter_size: '1.5B', quantization_level: 'Q4_K_M' },
    model_info: {
      'general.architecture': model.family,
      [`${model.family}.context_length`]: model.contextLength,
    },
    capabilities: model.capabilities,
    modified_at: '2026-01-01T00:00:00Z',
  }
}

/** A quarter of the bytes, plus eight a message. */
function countTokens(body: FakeChatBody): number {
  const tools = body.tools === undefined ? '' : JSON.stringify(body.tools)
  const texts = body.messages.map((message) => message.content).join('')
  return Math.ceil(Buffer.byteLength(tools + texts) / 4) + 8 * body.messages.length
}
