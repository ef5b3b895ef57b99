const Z_95 = 1.959964

/** The interval in which the true share lies with 95 % confidence (Wilson's score interval), from 0 to 1. */
export function wilson(successes: number, trials: number): { readonly low: number; readonly high: number } {
  if (trials === 0) return { low: 0, high: 1 }
  const share = successes / trials
  const square = Z_95 ** 2
  const middle = share + square / (2 * trials)
  const spread = Z_95 * Math.sqrt((share * (1 - share)) / trials + square / (4 * trials ** 2))
  const scale = 1 + square / trials
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) }
}
