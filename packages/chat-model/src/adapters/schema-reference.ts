import type { JsonValue } from '@icm/errors'
import type { JsonSchema } from '@icm/json-schema'

/** What `#/$defs/Name` or another pointer into the same schema stands for; undefined when there is no such place. */
export function resolveReference(reference: string, root: JsonSchema): JsonSchema | undefined {
  if (!reference.startsWith('#')) return undefined
  let value: JsonValue | undefined = root
  for (const part of reference.split('/').slice(1)) {
    value = isObject(value) ? value[part.replace(/~1/g, '/').replace(/~0/g, '~')] : undefined
  }
  return isObject(value) ? value : undefined
}

/** Whether a part of a schema is an object, such as a schema of its own. */
export function isObject(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
