import type { TransportLimits } from './http-errors.js'

/**
 * One limit at a time, on one timer of Node for the whole call: starting another limit later than it fires costs
 * nothing, and when it fires too early it waits for the rest.
 */
export function createLimitTimer(onOver: (limit: keyof TransportLimits) => void): {
  readonly start: (limit: keyof TransportLimits, delayMs: number) => void
  readonly stop: () => void
  readonly end: () => void
} {
  let timer: NodeJS.Timeout | undefined
  let firesAt = Number.POSITIVE_INFINITY
  let running: { readonly limit: keyof TransportLimits; readonly until: number } | undefined
  const set = (until: number, delayMs: number) => {
    clearTimeout(timer)
    firesAt = until
    timer = setTimeout(fire, Math.ceil(delayMs))
  }
  const fire = () => {
    firesAt = Number.POSITIVE_INFINITY
    if (running === undefined) return
    const restMs = running.until - performance.now()
    if (restMs <= 0) onOver(running.limit)
    else set(running.until, restMs)
  }
  return {
    start(limit, delayMs) {
      running = undefined
      if (delayMs <= 0 || delayMs > longestTimerMs) return
      running = { limit, until: performance.now() + delayMs }
      if (running.until < firesAt) set(running.until, delayMs)
    },
    stop() {
      running = undefined
    },
    end() {
      running = undefined
      clearTimeout(timer)
    },
  }
}

// setTimeout fires at once when asked to wait longer than this.
const longestTimerMs = 2_147_483_647
