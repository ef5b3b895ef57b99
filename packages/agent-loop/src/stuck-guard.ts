const longestCycle = 3

/**
 * Whether a call with key `next`, after calls with the keys `earlier`, would be the third round of a cycle of one to
 * three calls: A A **A**, A B A B **A**, A B C A B C **A**. Successes count like failures (field report C02: guards
 * that count only errors miss repeated "successful" calls). Returns the cycle's length, or undefined.
 */
export function stuckCycle(earlier: readonly string[], next: string): number | undefined {
  for (let length = 1; length <= longestCycle; length++) {
    const rounds = earlier.slice(-2 * length)
    if (rounds.length < 2 * length) return undefined
    const repeats = rounds.slice(0, length).every((key, index) => key === rounds[index + length])
    if (repeats && rounds[0] === next) return length
  }
  return undefined
}
