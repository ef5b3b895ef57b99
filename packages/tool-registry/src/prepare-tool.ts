import type { ToolSpec } from '@icm/chat-model'
import { hashJson, type ObjectShape, objectShape, toJsonSchema } from '@icm/json-schema'
import { type AliasTable, foldedParameters } from './parameter-names.js'
import type { AnyTool } from './types.js'

/** A tool with what every call of it needs, worked out once. */
export interface PreparedTool {
  readonly tool: AnyTool
  readonly spec: ToolSpec
  readonly shape: ObjectShape
  /** Folded name → parameter. */
  readonly folded: ReadonlyMap<string, string>
  /** See `definitionHashOf`. */
  readonly definitionHash: () => string
}

export function prepareTool(tool: AnyTool, sharedAliases: AliasTable = {}): PreparedTool {
  const inputSchema = { type: 'object', ...toJsonSchema(tool.input) } as const
  const shape = objectShape(inputSchema)
  let hash: string | undefined
  return {
    tool,
    spec: Object.freeze({ name: tool.name, description: tool.description, inputSchema }),
    shape,
    folded: foldedParameters(shape.properties.keys(), tool.aliases, sharedAliases),
    definitionHash: () => {
      hash ??= definitionHashOf(tool)
      return hash
    },
  }
}

/**
 * 16 hex digits over what a person agrees to when agreeing to a tool: name, description, schema and whatever decides how
 * freely it runs. Changes when a server changes the tool.
 */
export function definitionHashOf(tool: AnyTool): string {
  const { name, description } = tool
  const declared = [
    tool.irreversible === true,
    tool.idempotent === true,
    tool.trust ?? 'host',
    tool.output ?? 'untrusted',
  ]
  return hashJson([name, description, toJsonSchema(tool.input), ...declared]).slice(0, 16)
}
