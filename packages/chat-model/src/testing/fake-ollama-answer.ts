import type { JsonObject } from '@icm/errors'
import { type FakeStep, pieces } from './fake-http.js'

/** What the fake server says to one `/api/chat`. A string is the whole text of a normal answer. */
export type FakeOllamaAnswer = string | FakeOllamaReply

export interface FakeOllamaReply {
  readonly text?: string
  readonly reasoning?: string
  /** Each call goes into a line of its own, as a real server sends them. */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments?: unknown }[]
  /** Default `'stop'`. */
  readonly doneReason?: string
  /** Default: a count like the one that the adapter estimates. */
  readonly inputTokens?: number
  /** Default: the number of words of text and reasoning. */
  readonly outputTokens?: number
  /** Milliseconds before the first byte. */
  readonly delayMs?: number
  /** Milliseconds between two lines. */
  readonly lineDelayMs?: number
  /** With `error`: refuses with this status; default 200, or 500 where `error` stands without `lines` or `text`. */
  readonly status?: number
  /** Text of the refusal; with `text` or `status: 200` it comes as a line in the middle of the stream. */
  readonly error?: string
  /** Instead of all of the above except `delayMs` and `lineDelayMs`: exactly these lines. */
  readonly lines?: readonly FakeOllamaLine[]
}

/** A JSON line; bytes as they are (no line end is added); a pause; the end of the connection without a proper end. */
export type FakeOllamaLine = FakeStep | { readonly [key: string]: unknown }

/** The parts of a request that the fake looks at. */
export interface FakeChatBody {
  readonly model: string
  readonly messages: readonly {
    readonly role: string
    readonly content: string
    readonly [key: string]: unknown
  }[]
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly [key: string]: unknown }
  }[]
  readonly format?: unknown
  readonly think?: unknown
  readonly keep_alive?: unknown
  readonly truncate?: boolean
  readonly shift?: boolean
  readonly options?: { readonly [name: string]: unknown }
}

/** The NDJSON lines of a reply, in the order in which a real server sends them. */
export function linesOf(reply: FakeOllamaReply, body: FakeChatBody, inputTokens: number): FakeOllamaLine[] {
  if (reply.lines !== undefined) return [...reply.lines]
  const line = (message: JsonObject, rest: JsonObject = { done: false }): JsonObject => ({
    model: body.model,
    created_at: '2026-01-01T00:00:00Z',
    message: { role: 'assistant', content: '', ...message },
    ...rest,
  })
  const thoughts = pieces(reply.reasoning ?? '')
  const words = pieces(reply.text ?? '')
  const calls = (reply.toolCalls ?? []).map((call) => ({
    function: { index: 0, name: call.name, arguments: (call.arguments ?? {}) as JsonObject },
  }))
  const start = [
    ...thoughts.map((text) => line({ thinking: text })),
    ...words.map((text) => line({ content: text })),
    ...calls.map((call) => line({ tool_calls: [call] })),
  ]
  if (reply.error !== undefined) return [...start, { error: reply.error }]
  const end = line(
    {},
    {
      done: true,
      done_reason: reply.doneReason ?? 'stop',
      total_duration: 3_000_000,
      load_duration: 1_000_000,
      prompt_eval_count: reply.inputTokens ?? inputTokens,
      prompt_eval_duration: 1_000_000,
      eval_count: reply.outputTokens ?? thoughts.length + words.length + calls.length,
      eval_duration: 1_000_000,
    },
  )
  return [...start, end]
}
