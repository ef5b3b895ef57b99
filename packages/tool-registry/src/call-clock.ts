import type { ToolContext, ToolProgress } from './types.js'

/** How a timed piece of work ended. */
export type TimedResult<Value> =
  | { readonly end: 'done'; readonly value: Value }
  | { readonly end: 'threw'; readonly error: unknown }
  | { readonly end: 'timed-out'; readonly limitMs: number }
  | { readonly end: 'aborted' }

export interface TimeLimits {
  /** Without an answer or progress. */
  readonly timeoutMs: number
  /** In all. */
  readonly maxDurationMs: number
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined
}

/**
 * Runs `work` until it ends, the time is up or the caller aborts, whichever comes first; it never rejects.
 * The context's signal fires on the two latter, and work that does not listen to it is left behind. Every progress
 * report starts `timeoutMs` anew; `maxDurationMs` holds regardless.
 */
export async function runTimed<Value>(
  work: (context: ToolContext) => Value | Promise<Value>,
  limits: TimeLimits,
): Promise<TimedResult<Value>> {
  const stop = new AbortController()
  const interruption = watchInterruption(limits, stop)
  const finished = Promise.resolve()
    .then(() => work({ signal: stop.signal, onProgress: interruption.onProgress }))
    .then(
      (value): TimedResult<Value> => ({ end: 'done', value }),
      (error: unknown): TimedResult<Value> => ({ end: 'threw', error }),
    )
  try {
    return await Promise.race([finished, interruption.happened])
  } finally {
    interruption.stopWatching()
  }
}

type Interruption = { readonly end: 'timed-out'; readonly limitMs: number } | { readonly end: 'aborted' }

function watchInterruption(limits: TimeLimits, stop: AbortController) {
  let idleTimer: NodeJS.Timeout | undefined
  let totalTimer: NodeJS.Timeout | undefined
  let watching = true
  let onAbort = () => {}
  let restart = () => {}
  const happened = new Promise<Interruption>((resolve) => {
    const timeUp = (limitMs: number) => {
      resolve({ end: 'timed-out', limitMs })
      stop.abort(new DOMException('The time limit of this tool call was reached.', 'TimeoutError'))
    }
    restart = () => {
      clearTimeout(idleTimer)
      idleTimer = setTimeout(timeUp, limits.timeoutMs, limits.timeoutMs)
    }
    onAbort = () => {
      resolve({ end: 'aborted' })
      stop.abort(limits.signal?.reason)
    }
    totalTimer = setTimeout(timeUp, limits.maxDurationMs, limits.maxDurationMs)
  })
  restart()
  // Not AbortSignal.any: on Node 20 it keeps every derived signal alive as long as the run's own signal.
  limits.signal?.addEventListener('abort', onAbort, { once: true })
  if (limits.signal?.aborted) onAbort()
  return {
    happened,
    onProgress: (progress: ToolProgress) => {
      if (!watching) return
      restart()
      limits.onProgress?.(progress)
    },
    stopWatching: () => {
      watching = false
      clearTimeout(idleTimer)
      clearTimeout(totalTimer)
      limits.signal?.removeEventListener('abort', onAbort)
    },
  }
}
