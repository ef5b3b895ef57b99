/** Runs a task when one of the places is free. */
export type Limiter = <Result>(task: () => Promise<Result>) => Promise<Result>

/**
 * A queue with a number of places: what a machine has few of (open files) is never asked for all at once. Tasks start
 * in the order in which they came; a task must not wait for another one of the same limiter.
 */
export function limitConcurrency(places: number): Limiter {
  let free = places
  const waiting: (() => void)[] = []
  return async (task) => {
    if (free === 0) await new Promise<void>((start) => waiting.push(start))
    else free--
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
