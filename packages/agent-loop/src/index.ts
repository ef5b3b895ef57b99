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
  PendingCall,
  StopCondition,
  TooEarly,
  ToolAnswer,
  ToolRunner,
  ToolStatus,
  ToolStep,
} from './types.js'
