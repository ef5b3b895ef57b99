/**
 * Waits for work, but no longer than until the abort: then throws `signal.reason` at once, so that work which does not
 * listen to the signal cannot keep a run from ending. What it still answers or throws afterwards is dropped.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  let onAbort: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    if (signal.aborted) onAbort?.()
    const result = await Promise.race([work, aborted])
    signal.throwIfAborted()
    return result
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort)
  }
}
