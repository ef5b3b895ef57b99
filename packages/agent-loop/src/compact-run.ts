import { compactHistory } from './compact-history.js'
import type { Run } from './run-state.js'

/** Room for the final answer when a history must be shortened for it. */
const answerTokens = 1024

/**
 * Shortens the oldest tool results when the next request would not fit into the window (field reports A01, A02), or
 * when a server said so. The one exception to append-only messages, hence an event. Returns whether it did.
 */
export async function compactIfNeeded(run: Run): Promise<boolean> {
  const { options, state } = run
  const window = options.model.contextWindow
  const room = window === undefined ? Number.POSITIVE_INFINITY : window - reservedTokens(window, options)
  const excess = state.overflowed ? (window ?? state.historyTokens) / 2 : state.historyTokens - room
  if (excess <= 0) return false
  state.overflowed = false
  const { messages, shortenedResults, removedCharacters, removedTokens } = compactHistory(
    run.messages,
    excess,
  )
  if (shortenedResults === 0) return false
  run.messages.splice(0, run.messages.length, ...messages)
  state.historyTokens = Math.max(0, state.historyTokens - removedTokens)
  await run.emit({ type: 'compaction', shortenedResults, removedCharacters })
  return true
}

function reservedTokens(window: number, options: Run['options']): number {
  return Math.min(options.maxOutputTokens ?? answerTokens, window / 4)
}
