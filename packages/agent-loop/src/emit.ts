import type { AgentEvent } from './types.js'

/** Where the events of a run go. A promise is awaited before the run goes on; a throw ends the run. */
export type Emit = (event: AgentEvent) => void | Promise<void>
