import { type FakeExchange, pauseOf, playSteps, sendJson, sendText, startFakeHttp } from './fake-http.js'
import {
  type FakeOpenAiAnswer,
  type FakeOpenAiKind,
  openAiErrorBody,
  openAiSteps,
} from './fake-openai-answer.js'

export interface FakeOpenAiOptions {
  readonly kind: FakeOpenAiKind
  /** The names of its models. */
  readonly models: readonly string[]
  /** Called for each accepted `/v1/chat/completions`; `index` counts them from 0. */
  readonly answer: (body: FakeOpenAiBody, index: number) => FakeOpenAiAnswer | Promise<FakeOpenAiAnswer>
  /** Tokens; default 8192. A longer prompt is refused, or – by Ollama – cut without a word. */
  readonly contextWindow?: number
  /** Older builds of llama-server tell their window under `/props` only. */
  readonly tellsWindowInModels?: boolean
  /** Wanted as `Authorization: Bearer …`. */
  readonly apiKey?: string
  /** So many requests are answered with 503 first, as llama-server does while it loads its model. */
  readonly loadingAnswers?: number
}

/** The parts of a request that tests look at. */
export interface FakeOpenAiBody {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly [key: string]: unknown }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly [key: string]: unknown
}

export interface FakeOpenAiRequest {
  readonly path: string
  readonly headers: FakeExchange['headers']
  readonly bodyText: string
  readonly body: FakeOpenAiBody | undefined
  readonly ended: FakeExchange['ended']
}

export interface FakeOpenAi {
  /** `http://127.0.0.1:<port>/v1` */
  readonly baseUrl: string
  readonly requests: readonly FakeOpenAiRequest[]
  /** Those to `/v1/chat/completions`, refused ones included. */
  readonly chats: readonly FakeOpenAiRequest[]
  close(): Promise<void>
}

/**
 * A real HTTP server on 127.0.0.1 that speaks `/v1` as Ollama, llama-server or vLLM do; for tests. It refuses by
 * itself what they refuse: an unknown model (llama-server has one and takes any name), a prompt that does not fit
 * (Ollama cuts it), a wrong API key.
 */
export async function startFakeOpenAi(options: FakeOpenAiOptions): Promise<FakeOpenAi> {
  const requests: FakeOpenAiRequest[] = []
  const state = { answered: 0, loading: options.loadingAnswers ?? 0, loaded: false }
  const server = await startFakeHttp(async (exchange) => {
    const { path, headers, bodyText, ended } = exchange
    const body = bodyText === '' ? undefined : (JSON.parse(bodyText) as FakeOpenAiBody)
    requests.push({ path, headers, bodyText, body, ended })
    await respond(exchange, body, options, state)
  })
  return {
    baseUrl: `${server.host}/v1`,
    requests,
    get chats() {
      return requests.filter((request) => request.path === '/v1/chat/completions')
    },
    close: server.close,
  }
}

interface State {
  answered: number
  loading: number
  loaded: boolean
}

async function respond(
  exchange: FakeExchange,
  body: FakeOpenAiBody | undefined,
  options: FakeOpenAiOptions,
  state: State,
): Promise<void> {
  const { path, response, headers } = exchange
  const { kind, apiKey } = options
  const refuse = (status: number, message: string, rest?: object) =>
    sendJson(response, status, openAiErrorBody(kind, status, message, rest))
  if (apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`) {
    return refuse(401, `Invalid API Key: ${String(headers.authorization).replace('Bearer ', '')}`)
  }
  if (state.loading > 0) {
    state.loading -= 1
    return refuse(503, 'Loading model')
  }
  if (path === '/v1/models') return sendJson(response, 200, { object: 'list', data: listing(options) })
  const own = ownEndpoint(path, body, options, state)
  if (own !== undefined) return sendJson(response, 200, own)
  if (path !== '/v1/chat/completions' || body === undefined)
    return sendText(response, 404, '404 page not found')
  const refusal = refusalOf(body, options)
  if (refusal !== undefined) return refuse(refusal.status, refusal.message, refusal.rest)
  const answer = await options.answer(body, state.answered++)
  state.loaded = true
  const reply = typeof answer === 'string' ? { text: answer } : answer
  await pauseOf(response)(reply.delayMs)
  const refused = reply.error !== undefined && reply.text === undefined && reply.steps === undefined
  const status = reply.status ?? (refused ? 500 : 200)
  if (status !== 200) return refuse(status, reply.error ?? 'refused by the script')
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const read = Math.min(countTokens(body), windowOf(options))
  await playSteps(exchange, openAiSteps(kind, reply, body.model, read), reply.chunkDelayMs)
}

function refusalOf(
  body: FakeOpenAiBody,
  options: FakeOpenAiOptions,
): { readonly status: number; readonly message: string; readonly rest?: object } | undefined {
  const { kind, models } = options
  const window = windowOf(options)
  const tokens = countTokens(body)
  if (kind !== 'llama-server' && !models.includes(body.model)) {
    const message =
      kind === 'vllm' ? `The model \`${body.model}\` does not exist.` : `model '${body.model}' not found`
    return { status: 404, message }
  }
  if (tokens <= window || kind === 'ollama') return undefined
  if (kind === 'vllm') {
    const message = `This model's maximum context length is ${window} tokens. However, your request has ${tokens} input tokens. Please reduce the length of the input messages.`
    return { status: 400, message }
  }
  const message = `request (${tokens} tokens) exceeds the available context size (${window} tokens), try increasing it`
  return {
    status: 400,
    message,
    rest: { type: 'exceed_context_size_error', n_prompt_tokens: tokens, n_ctx: window },
  }
}

function listing(options: FakeOpenAiOptions): object[] {
  const { kind, models, tellsWindowInModels = true } = options
  const window = windowOf(options)
  const own = {
    ollama: { owned_by: 'library' },
    vllm: { owned_by: 'vllm', max_model_len: window },
    'llama-server': {
      owned_by: 'llamacpp',
      meta: { n_ctx_train: 131_072, ...(tellsWindowInModels ? { n_ctx: window } : {}) },
    },
  }
  return models.map((id) => ({ id, object: 'model', created: 1_767_225_600, ...own[kind] }))
}

/** What only one server has, beside `/v1`. */
function ownEndpoint(
  path: string,
  body: FakeOpenAiBody | undefined,
  options: FakeOpenAiOptions,
  state: State,
): object | undefined {
  const window = windowOf(options)
  if (options.kind === 'llama-server' && path === '/props')
    return { default_generation_settings: { n_ctx: window }, total_slots: 1 }
  if (options.kind !== 'ollama') return undefined
  if (path === '/api/generate') {
    state.loaded = true
    return { model: body?.model, response: '', done: true, done_reason: 'load' }
  }
  if (path !== '/api/ps') return undefined
  const loaded = state.loaded ? options.models : []
  return { models: loaded.map((name) => ({ name, model: name, context_length: window })) }
}

function windowOf(options: FakeOpenAiOptions): number {
  return options.contextWindow ?? 8_192
}

function countTokens(body: FakeOpenAiBody): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify([body.messages, body.tools ?? []])) / 4)
}
