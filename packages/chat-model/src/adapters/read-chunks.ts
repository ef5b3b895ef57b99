import type { IncomingMessage } from 'node:http'

/** What a reader of an answer tells the one who watches its connection. */
export interface ChunkWatch {
  readonly waiting: () => void
  readonly arrived: () => void
  readonly close: () => void
  readonly translate: (error: unknown) => unknown
}

export interface ChunkReader extends AsyncIterableIterator<Uint8Array> {
  /** For a reader that has seen enough: what still comes is read away. */
  drop(): void
}

/**
 * The pieces of an answer as they come; when the consumer lags behind, the server has to wait. Limits count while we
 * wait for the server, never while the consumer works on what it got. Written by hand, because an async generator
 * costs more than all the rest of this for every piece.
 */
export function readChunks(message: IncomingMessage, watch: ChunkWatch): ChunkReader {
  const queue: Uint8Array[] = []
  let over: { readonly error?: unknown } | undefined
  let isDropped = false
  let isFirst = true // the first-token limit is running already
  let waiting: { resolve(result: IteratorResult<Uint8Array>): void; reject(error: unknown): void } | undefined

  function end(ending: { readonly error?: unknown }): void {
    over ??= ending
    if (waiting === undefined) return
    watch.close()
    if ('error' in over) waiting.reject(watch.translate(over.error))
    else waiting.resolve(done)
    waiting = undefined
  }

  message
    .on('data', (chunk: Uint8Array) => {
      if (isDropped) return
      watch.arrived()
      isFirst = false
      if (waiting !== undefined) {
        waiting.resolve({ done: false, value: chunk })
        waiting = undefined
      } else if (queue.push(chunk) >= mostQueued) message.pause()
    })
    .on('end', () => end({}))
    .on('error', (error) => end({ error }))
    .on('close', () => end({ error: 'closed' })) // after the other two it says nothing new

  function next(): Promise<IteratorResult<Uint8Array>> {
    if (over !== undefined && 'error' in over) {
      watch.close()
      return Promise.reject(watch.translate(over.error))
    }
    const value = queue.shift()
    if (value !== undefined) return Promise.resolve({ done: false, value })
    if (over !== undefined) {
      watch.close()
      return Promise.resolve(done)
    }
    if (!isFirst) watch.waiting()
    if (message.isPaused()) message.resume()
    return new Promise((resolve, reject) => {
      waiting = { resolve, reject }
    })
  }

  return {
    next,
    drop() {
      isDropped = true
    },
    return() {
      watch.close()
      return Promise.resolve(done)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const done: IteratorResult<Uint8Array> = { done: true, value: undefined }
const mostQueued = 64
