import { type FakeStep, pieces } from './fake-http.js'

/**
 * Whose wire shapes are spoken. Ollama's are those that the source of 0.17.4 writes; the other two are made by hand from
 * what is written about llama-server b9038 (`tools/server/README.md`) and vLLM 0.11.2 (its OpenAI server pages).
 */
export type FakeOpenAiKind = 'ollama' | 'llama-server' | 'vllm'

/** What the fake server says to one `/v1/chat/completions`. A string is the whole text of a normal answer. */
export type FakeOpenAiAnswer = string | FakeOpenAiReply

export interface FakeOpenAiReply {
  readonly text?: string
  readonly reasoning?: string
  readonly toolCalls?: readonly {
    readonly id?: string
    readonly name: string
    readonly arguments?: unknown
  }[]
  /** Default `'stop'`, or `'tool_calls'`. */
  readonly finishReason?: string
  /** Default: a quarter of the prompt's bytes. */
  readonly inputTokens?: number
  /** Those of them that were in the prefix cache, as llama-server and vLLM tell it; default 0. */
  readonly cachedTokens?: number
  /** Default: the number of pieces. */
  readonly outputTokens?: number
  /** Milliseconds before the first byte. */
  readonly delayMs?: number
  /** Milliseconds between two chunks. */
  readonly chunkDelayMs?: number
  /** With `error`: refuses with this status; default 200, or 500 where `error` stands without `text`. */
  readonly status?: number
  /** A refusal, in the server's own shape; with `text` it comes in the middle of the stream. */
  readonly error?: string
  /** Instead of all of the above except the delays: exactly this. An object is one chunk. */
  readonly steps?: readonly (FakeStep | { readonly [key: string]: unknown })[]
}

/** What comes over the wire for a reply, in the order and the shapes of that server. */
export function openAiSteps(
  kind: FakeOpenAiKind,
  reply: FakeOpenAiReply,
  model: string,
  inputTokens: number,
): FakeStep[] {
  if (reply.steps !== undefined) return reply.steps.map((step) => (isStep(step) ? step : event(step)))
  const chunk = (choices: readonly object[], rest: object = {}) =>
    event({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_767_225_600,
      model,
      ...(kind === 'ollama' ? { system_fingerprint: 'fp_ollama' } : {}),
      choices,
      ...rest,
    })
  const delta = (fields: object, finish: string | null = null) =>
    chunk([
      {
        index: 0,
        delta: kind === 'ollama' ? { role: 'assistant', content: '', ...fields } : fields,
        finish_reason: finish,
      },
    ])
  const thoughts = pieces(reply.reasoning ?? '')
  const words = pieces(reply.text ?? '')
  const calls = (reply.toolCalls ?? []).flatMap((call, index) => callDeltas(kind, call, index))
  const steps = [
    ...(kind === 'ollama' ? [] : [delta({ role: 'assistant', content: kind === 'vllm' ? '' : null })]),
    ...thoughts.map((text) =>
      delta(kind === 'llama-server' ? { reasoning_content: text } : { reasoning: text }),
    ),
    ...words.map((text) => delta({ content: text })),
    ...calls.map((call) => delta({ tool_calls: [call] })),
  ]
  if (reply.error !== undefined) return [...steps, ...brokenEnd(kind, reply.error, delta)]
  const reason = reply.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop')
  const counts = {
    prompt_tokens: reply.inputTokens ?? inputTokens,
    completion_tokens: reply.outputTokens ?? thoughts.length + words.length + calls.length,
  }
  const cached = reply.cachedTokens ?? 0
  // vLLM tells it where it was started with --enable-prompt-tokens-details.
  const details = kind === 'vllm' ? { prompt_tokens_details: { cached_tokens: cached } } : {}
  const usage = { ...counts, total_tokens: counts.prompt_tokens + counts.completion_tokens, ...details }
  const timings =
    kind === 'llama-server' ? { timings: { cache_n: cached, prompt_ms: 1.5, predicted_ms: 2.5 } } : {}
  return [...steps, delta({}, reason), chunk([], { usage, ...timings }), done]
}

/** Ollama sends each call whole; the others its name first and then its arguments in pieces. */
function callDeltas(
  kind: FakeOpenAiKind,
  call: { readonly id?: string; readonly name: string; readonly arguments?: unknown },
  index: number,
): object[] {
  const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {})
  const id = call.id ?? `${kind === 'vllm' ? 'chatcmpl-tool' : 'call'}-${index}-${call.name}`
  const first = (rest: string) => ({
    index,
    id,
    type: 'function',
    function: { name: call.name, arguments: rest },
  })
  if (kind === 'ollama') return [first(text)]
  const half = Math.ceil(text.length / 2)
  const parts = [text.slice(0, half), text.slice(half)].filter((part) => part !== '')
  return [first(''), ...parts.map((part) => ({ index, function: { arguments: part } }))]
}

/** How a failure in the middle shows: as an event, or – Ollama loses its text – as an end that is none. */
function brokenEnd(kind: FakeOpenAiKind, error: string, delta: (fields: object) => FakeStep): FakeStep[] {
  if (kind === 'ollama') return [delta({})]
  return [event(openAiErrorBody(kind, 500, error)), done]
}

/** The body of a refusal in the server's shape. */
export function openAiErrorBody(
  kind: FakeOpenAiKind,
  status: number,
  message: string,
  rest: object = {},
): object {
  if (kind === 'ollama') {
    const type = status === 400 ? 'invalid_request_error' : 'api_error'
    return { error: { message, type, param: null, code: null } }
  }
  if (kind === 'vllm') {
    const type = status === 404 ? 'NotFoundError' : status < 500 ? 'BadRequestError' : 'InternalServerError'
    return { error: { message, type, param: null, code: status } }
  }
  const type = status === 503 ? 'unavailable_error' : status < 500 ? 'invalid_request_error' : 'server_error'
  return { error: { code: status, message, type, ...rest } }
}

function event(data: object): FakeStep {
  return { raw: `data: ${JSON.stringify(data)}\n\n` }
}

const done: FakeStep = { raw: 'data: [DONE]\n\n' }

function isStep(step: object): step is FakeStep {
  return 'raw' in step || 'waitMs' in step || 'cut' in step
}
