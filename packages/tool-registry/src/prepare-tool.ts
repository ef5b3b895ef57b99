import type { ToolSpec } from '@icm/chat-model'
import { type ObjectShape, objectShape, toJsonSchema } from '@icm/json-schema'
import { type AliasTable, foldedParameters } from './parameter-names.js'
import type { AnyTool } from './types.js'

/** A tool with what every call of it needs, worked out once. */
export interface PreparedTool {
  readonly tool: AnyTool
  readonly spec: ToolSpec
  readonly shape: ObjectShape
  /** Folded name → parameter. */
  readonly folded: ReadonlyMap<string, string>
}

export function prepareTool(tool: AnyTool, sharedAliases: AliasTable = {}): PreparedTool {
  const inputSchema = { type: 'object', ...toJsonSchema(tool.input) } as const
  const shape = objectShape(inputSchema)
  return {
    tool,
    spec: Object.freeze({ name: tool.name, description: tool.description, inputSchema }),
    shape,
    folded: foldedParameters(shape.properties.keys(), tool.aliases, sharedAliases),
  }
}
