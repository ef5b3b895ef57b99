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
 * Runs `work` until it ends, the time is up or the caller aborts, whichever comes first; it never rejects, and does not
 * start after an abort. The context's signal fires on the two latter, and work that does not listen to it is left
 * behind. Every progress report starts `timeoutMs` anew; `maxDurationMs` holds regardless.
 */
export function runTimed<Value>(
  work: (context: ToolContext) => Value | Promise<Value>,
  limits: TimeLimits,
): TimedResult<Value> | Promise<TimedResult<Value>> {
  if (limits.signal?.aborted) return { end: 'aborted' }
  const stop = new AbortController()
  let interruption: ReturnType<typeof watchInterruption> | undefined
  let ended = false
  const onProgress = (progress: ToolProgress) => {
    if (ended) return
    interruption?.restart()
    limits.onProgress?.(progress)
  }
  try {
    const value = work({ signal: stop.signal, onProgress })
    // Most tools that only compute answer at once: then there is nothing to watch.
    if (!isPromise(value)) {
      ended = true
      return { end: 'done', value }
    }
    interruption = watchInterruption(limits, stop)
    return watch(value, interruption, () => {
      ended = true
    })
  } catch (error) {
    ended = true
    return { end: 'threw', error }
  }
}

async function watch<Value>(
  value: Promise<Value>,
  interruption: ReturnType<typeof watchInterruption>,
  onEnd: () => void,
): Promise<TimedResult<Value>> {
  const finished = value.then(
    (result): TimedResult<Value> => ({ end: 'done', value: result }),
    (error: unknown): TimedResult<Value> => ({ end: 'threw', error }),
  )
  try {
    return await Promise.race([finished, interruption.happened])
  } finally {
    onEnd()
    interruption.stopWatching()
  }
}

function isPromise<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

type Interruption = { readonly end: 'timed-out'; readonly limitMs: number } | { readonly end: 'aborted' }

function watchInterruption(limits: TimeLimits, stop: AbortController) {
  let idleTimer: NodeJS.Timeout | undefined
  let totalTimer: NodeJS.Timeout | undefined
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
    restart: () => restart(),
    stopWatching: () => {
      clearTimeout(idleTimer)
      clearTimeout(totalTimer)
      limits.signal?.removeEventListener('abort', onAbort)
    },
  }
}
