export { parseContract } from './parse-contract.js'
export { isExternalPath } from './path-text.js'
export { type RenderContractOptions, renderContract } from './render-contract.js'
export { type MarkdownLine, type MarkdownScan, scanLines } from './scan-lines.js'
export { parseScope } from './scope.js'
export { findHeadings, type MarkdownHeading, type MarkdownSection, splitSections } from './sections.js'
export type {
  ContractCheck,
  ContractCheckpoint,
  ContractInput,
  ContractOutput,
  ContractProblem,
  ContractProblemCode,
  ForEach,
  InputKind,
  OtherSection,
  ParsedContract,
  Position,
  Scope,
  StageContract,
  ToolAllowance,
} from './types.js'
