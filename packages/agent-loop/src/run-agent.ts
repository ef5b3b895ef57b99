import { runLoop } from './run-loop.js'
import type { AgentEvent, AgentOptions, AgentResult } from './types.js'

/**
 * `streamAgent` as a promise. `onEvent` is awaited before the run goes on, so that a journal is on disk before the
 * next tool runs; an error that it throws ends the run.
 */
export async function runAgent(
  options: AgentOptions & { readonly onEvent?: (event: AgentEvent) => void | Promise<void> },
): Promise<AgentResult> {
  return runLoop(options, options.onEvent ?? ignore)
}

function ignore(): void {}
