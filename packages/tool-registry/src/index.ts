export {
  type CheckOptions,
  checkTools,
  type ToolCheck,
  type ToolFinding,
  type ToolFindingCode,
} from './check-tools.js'
export { createToolRegistry } from './create-registry.js'
export { defineTool } from './define-tool.js'
export { describeConsent, showUnseen } from './describe-consent.js'
export type {
  ClaimResult,
  ConsentBook,
  EffectClaim,
  EffectLedger,
  EffectRecord,
  EffectState,
  EffectStore,
  PersonsAnswer,
  StoredConsent,
} from './effect-store.js'
export { ToolRegistryError, type ToolRegistryErrorCode } from './errors.js'
export { explainFileError } from './explain-file-error.js'
export { fenceUntrusted } from './fence-untrusted.js'
export type { InputSchema } from './input-schema.js'
export { sessionsOfJournal } from './journal-sessions.js'
export { createMemoryEffectStore } from './memory-effect-store.js'
export { type ObservationStore, openObservationStore } from './observation-store.js'
export { openEffectStore } from './open-effect-store.js'
export { definitionHashOf } from './prepare-tool.js'
export { indexTools, type SearchableTool, type ToolRanking } from './rank-tools.js'
export { type Observation, type ShapeOptions, shapeObservation } from './shape-observation.js'
export {
  type RecordedCall,
  type RecordedSession,
  type ToolAdvice,
  type ToolStatistics,
  toolStatistics,
} from './statistics.js'
export { stripHidden } from './strip-hidden.js'
export {
  type PageOptions,
  pageItems,
  summarizeFileList,
  summarizeJson,
  summarizeTable,
} from './summarize.js'
export { toToolName } from './tool-names.js'
export type {
  AnyTool,
  BlastLevel,
  ConsentRequest,
  Decision,
  EffectOptions,
  RunCallOptions,
  Tool,
  ToolContext,
  ToolDefinition,
  ToolInput,
  ToolOutcome,
  ToolProblemCode,
  ToolProgress,
  ToolRegistry,
  ToolRegistryOptions,
  ToolResult,
  ToolSession,
  TopUpOptions,
  TrimmedPart,
  Trust,
} from './types.js'
export { type DecidedWaiting, decideWaiting, listWaiting, type Waiting } from './waiting.js'
export type { Zod3Like } from './zod3-schema.js'
