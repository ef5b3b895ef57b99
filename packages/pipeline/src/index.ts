export { cleanOutput } from './clean-output.js'
export { PipelineError, type PipelineErrorCode } from './errors.js'
export { readJournal } from './journal.js'
export { runPipeline, streamPipeline } from './run-pipeline.js'
export { readStageStatus, readStatus } from './stage-status.js'
export { stateFolder } from './state-folder.js'
export type {
  Gate,
  PassedAgentEvent,
  PipelineEvent,
  PipelineEventBody,
  PipelineOptions,
  PipelineResult,
  StageResult,
  StageStatus,
  StageTools,
  StageUsage,
  StaleStage,
  UnsupportedClaim,
  WrittenOutput,
} from './types.js'
export { findUnsupportedClaims } from './unsupported-claims.js'
