import { ChatModelError } from '../errors.js'
import type { ChatEvent, ChatModel, ChatRequest } from '../types.js'
import { answer } from './llama-answer.js'
import type { LlamaEngine } from './llama-engine.js'
import { createEventQueue } from './llama-event-queue.js'

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
    checkRequest(engine.id, request)
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
          const usage = { ...event.usage, loadMs }
          loadMs = undefined
          yield { ...event, usage }
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

function checkRequest(id: string, { messages }: ChatRequest): void {
  if (!messages.some((message) => message.role === 'user' && (message.images ?? []).length > 0)) return
  throw new ChatModelError({
    code: 'chat/bad-request',
    what: `The request was not sent to ${id}: it has an image.`,
    why: 'The embedded engine reads text only.',
    instead: 'Leave the image out, or use a model that sees on Ollama.',
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
