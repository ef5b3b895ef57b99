import { type JsonSchema, repairValue } from '@icm/json-schema'
import { nearParameters } from './near-names.js'

/** Which property an unknown name was meant for: one, none, or nobody can tell. */
export type MeantProperty =
  | { readonly status: 'found'; readonly name: string }
  | { readonly status: 'ambiguous'; readonly names: readonly string[] }
  | { readonly status: 'unknown' }

/** Looks among the properties that were not given, and of those only at the ones that can take the value. */
export function meantProperty(
  written: string,
  value: unknown,
  absent: readonly string[],
  properties: ReadonlyMap<string, JsonSchema>,
): MeantProperty {
  const names = nearParameters(written, absent).filter((name) => fitsType(properties.get(name), value))
  const [name, ...others] = names
  if (name === undefined) return { status: 'unknown' }
  return others.length === 0 ? { status: 'found', name } : { status: 'ambiguous', names }
}

/** Whether a value is of the type that a property declares, or can be read as one. */
function fitsType(schema: JsonSchema | undefined, value: unknown): boolean {
  const types = schema === undefined ? [] : [schema.type ?? []].flat()
  if (schema === undefined || types.length === 0) return true
  const repaired = repairValue(schema, value).value
  return types.some((type) => isOfType(repaired, type))
}

/** Whether a value is of a type of JSON Schema. */
export function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    default:
      return typeof value === type
  }
}
