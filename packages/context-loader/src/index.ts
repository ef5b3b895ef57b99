export type {
  ContractCheck,
  ContractCheckpoint,
  ContractInput,
  ContractOutput,
  ContractProblem,
  ForEach,
  OtherSection,
  Position,
  Scope,
  StageContract,
  ToolAllowance,
} from '@icm/contract-parser'
export type { KnownServers } from './check/check-tools.js'
export {
  type CheckedInput,
  type CheckedStage,
  type CheckWorkspaceOptions,
  checkWorkspace,
  describeLoadProblem,
  type InputStatus,
  type WorkspaceCheck,
} from './check/check-workspace.js'
export type { DeclaredOutput, DeclaredOutputs } from './declared-outputs.js'
export { ContextLoaderError, type ContextLoaderErrorCode } from './errors.js'
export { estimateTokens } from './estimate-tokens.js'
export { type ExtractedText, extractSection } from './extract-section.js'
export { findStage } from './find-stage.js'
export { findWorkspaceRoot } from './find-workspace-root.js'
export { splitItems } from './for-each.js'
export { sha256 } from './hash.js'
export { type HintOptions, hintForInput } from './input-hint.js'
export { type LoadStageOptions, loadStage } from './load-stage.js'
export { memoryFiles } from './memory-files.js'
export { nodeFiles } from './node-files.js'
export { snapshotWorkspace } from './observe-files.js'
export { type OpenWorkspaceOptions, openWorkspace } from './open-workspace.js'
export { type FilledPath, fillPlaceholders, placeholderValues } from './placeholders.js'
export { readContract } from './read-contract.js'
export { promptSeparator, promptTemplateVersion, renderContext, renderItem } from './render-context.js'
export { resolveInput } from './resolve-input.js'
export { resolveOutputs } from './resolve-outputs.js'
export type {
  ContextPart,
  DroppedPart,
  FileStamp,
  ForEachItem,
  InputHint,
  InputMatch,
  LoadProblem,
  PlaceholderValues,
  PlainFile,
  ReadContract,
  ResolvedInput,
  ResolvedOutput,
  ResolvedOutputs,
  StageContext,
  StageRef,
  Workspace,
  WorkspaceFiles,
} from './types.js'
