import type { IncomingMessage } from 'node:http'

/** What a reader of an answer tells the one who watches its connection. */
export interface ChunkWatch {
  readonly waiting: () => void
  readonly arrived: () => void
  readonly close: () => void
  readonly translate: (error: unknown) => unknown
}

/**
 * The pieces of an answer as they come; when the consumer lags behind, the server has to wait. Limits count while we
 * wait for the server, never while the consumer works on what it got.
 */
export function readChunks(
  message: IncomingMessage,
  watch: ChunkWatch,
): AsyncGenerator<Uint8Array, void, void> {
  const queue: Uint8Array[] = []
  let over: { readonly error?: unknown } | undefined
  let wake = ignore
  const end = (ending: { readonly error?: unknown }) => {
    over ??= ending
    wake()
  }
  message
    .on('data', (chunk: Uint8Array) => {
      watch.arrived()
      queue.push(chunk)
      if (queue.length >= mostQueued) message.pause()
      wake()
    })
    .on('end', () => end({}))
    .on('error', (error) => end({ error }))
    .on('close', () => end({ error: 'closed' })) // after the other two it says nothing new
  return (async function* () {
    let isFirst = true // the first-token limit is running already
    try {
      for (;;) {
        if (over !== undefined && 'error' in over) throw watch.translate(over.error)
        const chunk = queue.shift()
        if (chunk !== undefined) {
          isFirst = false
          yield chunk
        } else if (over === undefined) {
          if (!isFirst) watch.waiting()
          if (message.isPaused()) message.resume()
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        } else return
      }
    } finally {
      watch.close()
    }
  })()
}

const mostQueued = 64

function ignore(): void {}
