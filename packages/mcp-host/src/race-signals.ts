/** Rejects with the reason of the first signal that fires; the work's own later failure is then nobody's. */
export async function raceSignals<Value>(
  work: Promise<Value>,
  signals: readonly AbortSignal[],
): Promise<Value> {
  const watching = new AbortController()
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of signals) {
      if (signal.aborted) reject(signal.reason)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: watching.signal })
    }
  })
  try {
    return await Promise.race([work, interrupted])
  } finally {
    watching.abort()
    work.catch(() => {})
  }
}
