export { createToolRegistry } from './create-registry.js'
export { defineTool } from './define-tool.js'
export { ToolRegistryError, type ToolRegistryErrorCode } from './errors.js'
export { fenceUntrusted } from './fence-untrusted.js'
export { type Observation, type ShapeOptions, shapeObservation } from './shape-observation.js'
export { stripHidden } from './strip-hidden.js'
export type {
  AnyTool,
  ConsentRequest,
  Decision,
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
  Trust,
} from './types.js'
