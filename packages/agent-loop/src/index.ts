export { type RestoredRun, type RestoreOptions, restoreRun } from './restore-run.js'
export { runAgent } from './run-agent.js'
export { maxDuration, maxOutputTokens, maxSteps, maxToolCalls } from './stop-conditions.js'
export { streamAgent } from './stream-agent.js'
export { defaultSynthesizePrompt } from './synthesize.js'
export type {
  AgentEvent,
  AgentOptions,
  AgentResult,
  AgentStep,
  Decision,
  NotRun,
  PendingCall,
  Resume,
  StopCondition,
  TooEarly,
  ToolAnswer,
  ToolRunner,
  ToolStatus,
  ToolStep,
} from './types.js'
