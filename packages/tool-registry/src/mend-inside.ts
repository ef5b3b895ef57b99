import type { JsonValue } from '@icm/errors'
import type { JsonSchema } from '@icm/json-schema'
import { isSchemaObject } from './is-schema-object.js'
import { meantProperty } from './meant-property.js'
import { foldName } from './parameter-names.js'
import { ambiguous } from './resolve-arguments.js'

/** A value with the names inside it mended; `fault` when a name may mean two things. */
export interface MendedInside {
  readonly value: unknown
  readonly repairs: readonly string[]
  readonly fault?: string
}

const MAX_DEPTH = 32

/**
 * Mends what lies inside arguments as `resolveArguments` mends the arguments themselves: names of nested objects in other
 * spelling or near to a declared one, and listed values (`enum`) that differ in case, `-` or `_` only. Returns the same
 * value when nothing was mended; never changes its arguments.
 */
export function mendInside(schema: JsonSchema, value: Record<string, unknown>): MendedInside {
  const found: Found = { repairs: [], faults: [] }
  const entries = Object.entries(value).map(([key, inner]) => {
    return [key, mendValue(propertyOf(schema, key), inner, key, found)] as const
  })
  const [fault] = found.faults
  return {
    value: found.repairs.length === 0 ? value : Object.fromEntries(entries),
    repairs: found.repairs,
    ...(fault === undefined ? {} : { fault }),
  }
}

interface Found {
  readonly repairs: string[]
  readonly faults: string[]
}

function mendValue(
  schema: JsonValue | undefined,
  value: unknown,
  path: string,
  found: Found,
  depth = 0,
): unknown {
  if (!isSchemaObject(schema) || depth > MAX_DEPTH) return value
  if (typeof value === 'string') return mendListed(schema, value, path, found)
  if (Array.isArray(value)) {
    return value.map((item, index) => mendValue(schema.items, item, `${path}[${index}]`, found, depth + 1))
  }
  if (!isSchemaObject(value)) return value
  const named = isClosed(schema) ? mendNames(schema, value, path, found) : value
  const entries = Object.entries(named).map(([key, inner]) => {
    return [key, mendValue(propertyOf(schema, key), inner, `${path}.${key}`, found, depth + 1)] as const
  })
  return Object.fromEntries(entries)
}

function mendNames(
  schema: JsonSchema & { readonly properties: JsonSchema },
  value: Record<string, unknown>,
  path: string,
  found: Found,
): Record<string, unknown> {
  const properties = new Map(
    Object.entries(schema.properties).map(([name, property]) => [
      name,
      isSchemaObject(property) ? property : {},
    ]),
  )
  const absent = [...properties.keys()].filter((name) => !Object.hasOwn(value, name))
  const taken = new Set<string>()
  const entries = Object.entries(value).map(([key, inner]) => {
    if (properties.has(key)) return [key, inner] as const
    const folded = absent.filter((name) => foldName(name) === foldName(key))
    const [same] = folded
    const meant =
      same !== undefined && folded.length === 1
        ? ({ status: 'found', name: same } as const)
        : meantProperty(key, inner, absent, properties)
    if (meant.status === 'ambiguous') found.faults.push(ambiguous(`${path}.${key}`, meant.names))
    if (meant.status !== 'found') return [key, inner] as const
    if (taken.has(meant.name)) found.faults.push(`Two arguments in "${path}" mean "${meant.name}".`)
    taken.add(meant.name)
    found.repairs.push(`"${path}.${key}" was read as "${path}.${meant.name}".`)
    return [meant.name, inner] as const
  })
  return Object.fromEntries(entries)
}

/** A word of a list in other spelling, when only one word of the list is spelt so. */
function mendListed(schema: JsonSchema, value: string, path: string, found: Found): string {
  if (!Array.isArray(schema.enum) || schema.enum.includes(value)) return value
  const meant = schema.enum.filter(
    (listed) => typeof listed === 'string' && foldName(listed) === foldName(value),
  )
  const [word] = meant
  if (typeof word !== 'string' || meant.length !== 1) return value
  found.repairs.push(`${path}: ${JSON.stringify(value.slice(0, 60))} was read as ${JSON.stringify(word)}.`)
  return word
}

function isClosed(schema: JsonSchema): schema is JsonSchema & { readonly properties: JsonSchema } {
  if (!isSchemaObject(schema.properties) || 'patternProperties' in schema) return false
  return schema.additionalProperties === undefined || schema.additionalProperties === false
}

function propertyOf(schema: JsonSchema, key: string): JsonValue | undefined {
  const { properties } = schema
  return isSchemaObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined
}
