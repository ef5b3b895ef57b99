import { hashJson } from '@icm/json-schema'
import type { AssistantMessage, ChatRequest, FinishReason, Message, ToolSpec, Usage } from '../types.js'

/** A request without its signal: the part that decides which answer is replayed. */
export type RecordedRequest = Omit<ChatRequest, 'signal'>

/** One finished answer and the request it belongs to. */
export interface Exchange {
  readonly request: RecordedRequest
  readonly message: AssistantMessage
  readonly reason: FinishReason
  readonly usage: Usage
}

/** A recorded run, in the order in which its answers finished. */
export interface Cassette {
  readonly version: 1
  /** The id of the model that answered. */
  readonly model: string
  readonly contextWindow?: number
  readonly exchanges: readonly Exchange[]
}

/** How a cassette lies in its file: every message and every list of tools once, exchanges refer to them. */
export interface StoredCassette {
  readonly version: 1
  readonly model: string
  readonly contextWindow?: number
  readonly messages: { readonly [reference: string]: Message }
  readonly tools: { readonly [reference: string]: readonly ToolSpec[] }
  readonly exchanges: readonly StoredExchange[]
}

export interface StoredExchange {
  readonly request: Omit<RecordedRequest, 'messages' | 'tools'> & {
    readonly messages: readonly string[]
    readonly tools?: string
  }
  readonly message: string
  readonly reason: FinishReason
  readonly usage: Usage
}

/** SHA-256 of a request's canonical JSON without its signal. */
export function requestKey(request: ChatRequest): string {
  const { signal: _, ...recorded } = request
  return hashJson(recorded)
}

/**
 * A cassette as text: JSON with one message, one list of tools and one exchange a line, in the order of first use,
 * so that equal cassettes give equal text and a changed run gives a readable diff. Ends with a line break.
 */
export function serializeCassette(cassette: Cassette): string {
  const messages = new Map<string, Message>()
  const tools = new Map<string, readonly ToolSpec[]>()
  const exchanges = cassette.exchanges.map(({ request, message, reason, usage }): StoredExchange => {
    const { messages: history, tools: offered, ...settings } = request
    return {
      request: {
        messages: history.map((item) => refer(messages, item)),
        ...(offered && { tools: refer(tools, offered) }),
        ...settings,
      },
      message: refer(messages, message),
      reason,
      usage,
    }
  })
  const { version, model, contextWindow } = cassette
  const head = JSON.stringify({ version, model, contextWindow }).slice(1, -1)
  return `{${head},\n"messages":${table(messages)},\n"tools":${table(tools)},\n"exchanges":${list(exchanges)}\n}\n`
}

/** Enough of a hash that two texts of one cassette do not meet, short enough to read. */
const referenceLength = 16

function refer<Value>(known: Map<string, Value>, value: Value): string {
  const reference = hashJson(value).slice(0, referenceLength)
  if (!known.has(reference)) known.set(reference, value)
  return reference
}

function table(entries: ReadonlyMap<string, unknown>): string {
  const lines = [...entries].map(
    ([reference, value]) => `${JSON.stringify(reference)}:${JSON.stringify(value)}`,
  )
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n}`
}

function list(items: readonly unknown[]): string {
  return items.length === 0 ? '[]' : `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`
}
