import { streamAgent } from './stream-agent.js'
import type { AgentEvent, AgentOptions, AgentResult } from './types.js'

/**
 * `streamAgent` as a promise. `onEvent` is awaited before the run goes on, so that a journal is on disk before the
 * next tool runs; an error that it throws ends the run.
 */
export async function runAgent(
  options: AgentOptions & { readonly onEvent?: (event: AgentEvent) => void | Promise<void> },
): Promise<AgentResult> {
  const stream = streamAgent(options)
  try {
    for (;;) {
      const next = await stream.next()
      if (next.done) return next.value
      const written = options.onEvent?.(next.value)
      // Awaiting what is no promise would cost a turn of the queue for every token.
      if (written !== undefined) await written
    }
  } finally {
    await stream.return(undefined as never)
  }
}
