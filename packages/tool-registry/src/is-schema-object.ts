import type { JsonSchema } from '@icm/json-schema'

/** Whether a part of a schema is a schema with keywords, not `true`, `false` or something broken. */
export function isSchemaObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
