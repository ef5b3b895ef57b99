import { createEventHandover } from './event-handover.js'
import { runLoop } from './run-loop.js'
import type { AgentEvent, AgentOptions, AgentResult } from './types.js'

/**
 * Runs a tool-calling conversation to its end and yields what happens as plain JSON events. The generator returns
 * the result that `run-end` carries. Nothing is added to the given messages but what the conversation brings: no
 * system text, no reordering, so that each request is a prefix of the next and the server's cache keeps working.
 * Nothing happens while the consumer holds an event, and leaving the loop stops the model's work.
 *
 * Throws `signal.reason` on abort and `ChatModelError` on infrastructure failures, both without a terminal event.
 */
export async function* streamAgent(options: AgentOptions): AsyncGenerator<AgentEvent, AgentResult, void> {
  const events = createEventHandover()
  const work = runLoop(options, events.emit).finally(events.end)
  work.catch(ignore) // awaited below; until then a failure must not count as unhandled
  try {
    for (;;) {
      const event = await events.next()
      if (event === undefined) return await work
      yield event
    }
  } finally {
    events.leave()
    await work.catch(ignore)
  }
}

function ignore(): void {}
