import { ChatModelError } from '../errors.js'
import type { ChatEvent, ChatModel, ChatRequest } from '../types.js'
import { answer } from './llama-answer.js'
import { type LlamaCppOptions, type LlamaEngine, openLlamaEngine } from './llama-engine.js'
import { createEventQueue } from './llama-event-queue.js'

export type { LlamaCppOptions } from './llama-engine.js'
export { isLlamaInstalled } from './llama-peer.js'

/**
 * A model inside this process: llama.cpp through the optional peer `node-llama-cpp`.
 *
 * Requests run one at a time, in the order of their first `next()`. The model keeps the tokens of the last request:
 * a request that begins like it (the next turn of a tool loop, the next item with the same instructions) reads only
 * what is new. An answer has at most one call. Arguments of calls in the model's own format, and answers to `outputSchema`, are held to their schema
 * while they are written (within `toGrammarSchema`'s limits). Dispose it to free its memory.
 *
 * Throws `chat/peer-missing`, `chat/model-missing`, `chat/bad-option` or `chat/out-of-memory`.
 */
export async function llamaCpp(options: LlamaCppOptions): Promise<ChatModel & AsyncDisposable> {
  return createLlamaModel(await openLlamaEngine(options))
}

/** The port over a loaded engine, which it owns from then on. */
export function createLlamaModel(engine: LlamaEngine): ChatModel & AsyncDisposable {
  const closing = new AbortController()
  let last: Promise<unknown> = Promise.resolve()
  let loadMs: number | undefined = Math.round(engine.loadMs)

  function run(request: ChatRequest, signal: AbortSignal, push: (event: ChatEvent) => void): Promise<void> {
    const result = last.then(() => {
      signal.throwIfAborted()
      return answer(engine, request, { signal, push })
    })
    last = result.catch(() => undefined)
    return result
  }

  async function* stream(request: ChatRequest): AsyncGenerator<ChatEvent, void, void> {
    checkRequest(request)
    request.signal?.throwIfAborted()
    closing.signal.throwIfAborted()
    const stopping = new AbortController()
    const outer = AbortSignal.any(request.signal ? [request.signal, closing.signal] : [closing.signal])
    const queue = createEventQueue<ChatEvent>()
    run(request, AbortSignal.any([outer, stopping.signal]), queue.push).then(queue.end, queue.fail)
    try {
      for await (const event of queue.read(outer)) {
        if (event.type !== 'finish' || loadMs === undefined) yield event
        else {
          yield { ...event, usage: { ...event.usage, loadMs } }
          loadMs = undefined
        }
      }
    } finally {
      stopping.abort()
    }
  }

  return {
    id: engine.id,
    contextWindow: engine.contextSize,
    stream,
    async [Symbol.asyncDispose]() {
      closing.abort(closed(engine.id))
      await last
      await engine.dispose()
    },
  }
}

function checkRequest(request: ChatRequest): void {
  if (request.outputSchema === undefined || (request.tools ?? []).length === 0) return
  throw new ChatModelError({
    code: 'chat/bad-request',
    what: 'The request was not sent: it has both tools and an outputSchema.',
    why: 'An answer held to a schema cannot call a tool.',
    instead: 'Send the tools first, and ask for the schema in a request without tools.',
  })
}

function closed(id: string): ChatModelError {
  return new ChatModelError({
    code: 'chat/bad-request',
    what: `${id} gave no answer: it was disposed.`,
    why: 'A disposed model has freed its memory.',
    instead: 'Load the model again.',
  })
}
