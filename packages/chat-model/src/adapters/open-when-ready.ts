import { setTimeout as sleep } from 'node:timers/promises'
import { limitsOf, openResponse, type TransportRequest, type TransportResponse } from './http-transport.js'

/**
 * Like `openResponse`, but waits for a server that is busy or loads its model and says so with 503 (field report A13): a
 * quarter of a second at first, then longer, or as long as its `Retry-After` says, until `firstTokenTimeoutMs` are
 * over. Then, and for any other 503, the answer is given back as it is.
 */
export async function openWhenReady(request: TransportRequest): Promise<TransportResponse> {
  const { firstTokenTimeoutMs } = limitsOf(request)
  const until = firstTokenTimeoutMs > 0 ? performance.now() + firstTokenTimeoutMs : Number.POSITIVE_INFINITY
  for (let pauseMs = 250; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const response = await openResponse(request)
    if (response.status !== 503) return response
    const text = await response.text().finally(response.close)
    const askedMs = Number(response.retryAfter) * 1_000
    const waitMs = askedMs > 0 ? Math.min(askedMs, longestPauseMs) : pauseMs
    if (!busy.test(text) || performance.now() + waitMs > until) return { ...response, text: async () => text }
    await sleepUnlessAborted(waitMs, request.signal)
  }
}

const busy = /busy|pending requests|loading|overloaded|unavailable_error/i
const longestPauseMs = 5_000

async function sleepUnlessAborted(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(delayMs, undefined, signal && { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
