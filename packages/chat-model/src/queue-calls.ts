import type { ChatEvent, ChatModel, ChatRequest } from './types.js'

/**
 * The same model with at most `parallel` calls at a time (default 1); the others wait their turn, in order. A server
 * with one slot makes them wait too, but there the time counts against their limits (field report A13). An aborted
 * signal ends the wait.
 */
export function queueCalls(model: ChatModel, options: { readonly parallel?: number } = {}): ChatModel {
  let free = options.parallel ?? 1
  const waiting: (() => void)[] = []

  async function* stream(request: ChatRequest): AsyncGenerator<ChatEvent, void, void> {
    request.signal?.throwIfAborted()
    if (free > 0) free -= 1
    else await takeTurn(waiting, request.signal)
    try {
      yield* model.stream(request)
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }

  return {
    id: model.id,
    get contextWindow() {
      return model.contextWindow
    },
    stream,
  }
}

function takeTurn(waiting: (() => void)[], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.splice(waiting.indexOf(turn), 1)
      reject(signal?.reason)
    }
    const turn = () => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }
    signal?.addEventListener('abort', leave, { once: true })
    waiting.push(turn)
  })
}
