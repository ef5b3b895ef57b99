import { setTimeout as sleep } from 'node:timers/promises'
import type { ChatEvent, ChatModel, ChatRequest } from '../types.js'
import { type Cassette, type Exchange, requestKey } from './replay-cassette.js'
import { replayMiss } from './replay-miss.js'

export { type Cassette, type Exchange, type RecordedRequest, serializeCassette } from './replay-cassette.js'
export { parseCassette } from './replay-parse.js'

export interface ReplayOptions {
  readonly cassette: Cassette
  /** What answers a request that the cassette does not hold. Default `'throw'`: `chat/replay-miss`. */
  readonly onMiss?: 'throw' | ChatModel
  /** Milliseconds before each delta, so that a person can read along. Default 0. */
  readonly delayMs?: number
}

/**
 * A model that answers from a recorded run: offline, and the same every time. A request is found by the hash of
 * everything but its signal; one that was recorded several times gets its answers in order, then from the start.
 * Text comes in deltas of a word, usage as it was recorded.
 */
export function replay(options: ReplayOptions): ChatModel {
  const { cassette, onMiss = 'throw', delayMs = 0 } = options
  const recorded = new Map<string, { readonly exchanges: Exchange[]; next: number }>()
  for (const exchange of cassette.exchanges) {
    const key = requestKey(exchange.request)
    const known = recorded.get(key)
    if (known === undefined) recorded.set(key, { exchanges: [exchange], next: 0 })
    else known.exchanges.push(exchange)
  }

  async function* stream(request: ChatRequest): AsyncGenerator<ChatEvent, void, void> {
    request.signal?.throwIfAborted()
    const found = recorded.get(requestKey(request))
    const exchange = found?.exchanges[found.next]
    if (found === undefined || exchange === undefined) {
      if (onMiss === 'throw') throw replayMiss(cassette, request)
      yield* onMiss.stream(request)
      return
    }
    found.next = (found.next + 1) % found.exchanges.length
    for (const event of eventsOf(exchange)) {
      if (delayMs > 0 && event.type !== 'finish') await pause(delayMs, request.signal)
      request.signal?.throwIfAborted()
      yield event
    }
  }

  return {
    id: `replay/${cassette.model}`,
    ...(cassette.contextWindow !== undefined && { contextWindow: cassette.contextWindow }),
    stream,
  }
}

/**
 * A model that passes everything through and hands over each finished answer with its request. `onExchange` is
 * awaited before the `finish` event goes on, so that what was recorded is on disk before the next step; an answer
 * that is aborted, left or failed is not recorded.
 */
export function record(
  model: ChatModel,
  onExchange: (exchange: Exchange) => void | Promise<void>,
): ChatModel {
  async function* stream(request: ChatRequest): AsyncGenerator<ChatEvent, void, void> {
    // The caller may go on adding to its list of messages while the answer comes.
    const { signal: _, ...sent } = { ...request, messages: [...request.messages] }
    for await (const event of model.stream(request)) {
      if (event.type === 'finish') {
        const { message, reason, usage } = event
        await onExchange({ request: sent, message, reason, usage })
      }
      yield event
    }
  }
  return {
    id: model.id,
    ...(model.contextWindow !== undefined && { contextWindow: model.contextWindow }),
    stream,
  }
}

function* eventsOf({ message, reason, usage }: Exchange): Generator<ChatEvent, void, void> {
  for (const text of words(message.reasoning ?? '')) yield { type: 'reasoning-delta', text }
  for (const text of words(message.text)) yield { type: 'text-delta', text }
  for (const call of message.toolCalls ?? []) yield { type: 'tool-call', call }
  yield { type: 'finish', reason, message, usage }
}

function words(text: string): readonly string[] {
  return text.match(/\s*\S+\s*$|\s*\S+|\s+/g) ?? []
}

async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(delayMs, undefined, signal && { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
