import type { JsonValue } from '@icm/errors'
import type { JsonSchema } from './to-json-schema.js'

/** The parameters of an object schema, gathered over its `$ref`, `allOf`, `anyOf` and `oneOf`. */
export interface ObjectShape {
  readonly properties: ReadonlyMap<string, JsonSchema>
  /** Required in every reading of the schema. */
  readonly required: readonly string[]
  /** Whether properties that are not listed mean something to the schema. */
  readonly open: boolean
}

// A recursive `$ref` would unfold for ever; no schema that a person wrote nests deeper.
const MAX_UNFOLDING = 16

/**
 * The plain readings of a schema: local `$ref`s followed, `anyOf`/`oneOf` spread out, `allOf` merged.
 * A reading that cannot be worked out (foreign `$ref`, too deep) is `{}`, which allows anything.
 */
export function schemaBranches(
  root: JsonSchema,
  schema: JsonValue | undefined,
  depth = 0,
): readonly JsonSchema[] {
  if (!isJsonSchema(schema) || depth > MAX_UNFOLDING) return [{}]
  if (typeof schema.$ref === 'string')
    return schemaBranches(root, resolveReference(root, schema.$ref), depth + 1)
  if ('type' in schema || 'properties' in schema || 'enum' in schema || 'const' in schema) return [schema]
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return choices.flatMap((choice) => schemaBranches(root, choice, depth + 1))
  if (Array.isArray(schema.allOf))
    return [mergeAll(schema.allOf.map((part) => schemaBranches(root, part, depth + 1)))]
  return [schema]
}

/** The JSON types that a plain schema allows; undefined when it allows any. */
export function branchTypes(branch: JsonSchema): readonly string[] | undefined {
  if (typeof branch.type === 'string') return [branch.type]
  if (Array.isArray(branch.type)) return branch.type.filter((type) => typeof type === 'string')
  if (Array.isArray(branch.enum)) return [...new Set(branch.enum.map(jsonTypeOf))]
  if (branch.const !== undefined) return [jsonTypeOf(branch.const)]
  if ('properties' in branch) return ['object']
  if ('items' in branch || 'prefixItems' in branch) return ['array']
  return undefined
}

/** The name that JSON Schema gives to a value's type; whole numbers are `integer`. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

/** True when one of the types allows the value (a whole number is a number too). */
export function allowsType(types: readonly string[], value: unknown): boolean {
  const type = jsonTypeOf(value)
  return types.includes(type) || (type === 'integer' && types.includes('number'))
}

/** Lists the parameters of a schema whose values are objects. */
export function objectShape(schema: JsonSchema): ObjectShape {
  const branches = schemaBranches(schema, schema)
  const properties = new Map<string, JsonSchema>()
  for (const source of [schema, ...branches, ...innerBranches(schema, branches)]) {
    if (!isJsonSchema(source.properties)) continue
    for (const [name, property] of Object.entries(source.properties)) {
      if (!properties.has(name)) properties.set(name, isJsonSchema(property) ? property : {})
    }
  }
  const [first, ...others] = branches.map(requiredNames)
  const required = (first ?? []).filter((name) => others.every((names) => names.includes(name)))
  return { properties, required, open: branches.some(isOpen) }
}

// `{ type: 'object', properties, anyOf: [{ required: … }] }`: the choices of a schema that is an object itself.
function innerBranches(root: JsonSchema, branches: readonly JsonSchema[]): readonly JsonSchema[] {
  return branches.flatMap((branch) =>
    [branch.anyOf, branch.oneOf, branch.allOf].flatMap((choices) =>
      Array.isArray(choices) ? choices.flatMap((choice) => schemaBranches(root, choice, 1)) : [],
    ),
  )
}

function isOpen(branch: JsonSchema): boolean {
  if ('patternProperties' in branch) return true
  if (branch.additionalProperties !== undefined) return branch.additionalProperties !== false
  return !('properties' in branch)
}

function requiredNames(branch: JsonSchema): readonly string[] {
  return Array.isArray(branch.required) ? branch.required.filter((name) => typeof name === 'string') : []
}

function mergeAll(parts: readonly (readonly JsonSchema[])[]): JsonSchema {
  const merged: Record<string, JsonValue> = {}
  for (const branches of parts) {
    const [only, ...others] = branches
    if (only === undefined || others.length > 0) return {}
    for (const [key, value] of Object.entries(only)) {
      const before = merged[key]
      if (key === 'properties' && isJsonSchema(before) && isJsonSchema(value))
        merged[key] = { ...before, ...value }
      else if (key === 'required' && Array.isArray(before) && Array.isArray(value))
        merged[key] = [...before, ...value]
      else merged[key] = value
    }
  }
  return merged
}

function resolveReference(root: JsonSchema, reference: string): JsonValue | undefined {
  if (!reference.startsWith('#')) return undefined
  let found: JsonValue | undefined = root
  for (const part of reference
    .slice(1)
    .split('/')
    .filter((step) => step !== '')) {
    const key = decodeReferencePart(part)
    if (!isJsonSchema(found) || !Object.hasOwn(found, key)) return undefined
    found = found[key]
  }
  return found
}

function decodeReferencePart(part: string): string {
  return part.replaceAll('%24', '$').replaceAll('~1', '/').replaceAll('~0', '~')
}

export function isJsonSchema(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
