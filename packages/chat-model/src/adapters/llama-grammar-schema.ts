import type { JsonSchema } from '@icm/json-schema'
import type { GbnfJsonDefList, GbnfJsonOneOfSchema } from 'node-llama-cpp'

/** From this many optional properties on, only some of their combinations are offered (2^n alternatives otherwise). */
const maxFreeOptionals = 4
/** A grammar unrolls repetitions, so longer bounds cost more than they give; validation after the fact checks them. */
const maxUnrolled = 100

type Schema = { readonly [key: string]: unknown }

/**
 * A JSON Schema in the subset that node-llama-cpp turns into a grammar: whatever the result accepts has the right
 * shape, but keywords that a grammar cannot express (`pattern`, `minimum`, …) are dropped, so an answer still has to
 * be validated.
 *
 * Two rules of the engine shape this: it treats every listed property as required, so an object with optional
 * properties becomes a choice between property sets; and it reads a schema that it does not understand as `null`, so
 * whatever is left becomes "any JSON value".
 */
export function toGrammarSchema(schema: JsonSchema): GbnfJsonOneOfSchema<GbnfJsonDefList> {
  const definitions = { ...asSchema(schema.definitions), ...asSchema(schema.$defs) }
  const names = new Set(Object.keys(definitions))
  const $defs = Object.fromEntries([...names].map((name) => [name, convert(definitions[name], names)]))
  return { oneOf: [convert(schema, names)], $defs } as unknown as GbnfJsonOneOfSchema<GbnfJsonDefList>
}

const anyValue: Schema = {
  oneOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'object', additionalProperties: true },
    { type: 'array' },
  ],
}

function convert(node: unknown, names: ReadonlySet<string>): Schema {
  if (!isObject(node)) return anyValue
  if (typeof node.$ref === 'string') return convertReference(node.$ref, names)
  if ('const' in node) return isLiteral(node.const) ? { const: node.const } : anyValue
  if (Array.isArray(node.enum)) {
    return node.enum.length > 0 && node.enum.every(isLiteral) ? { enum: node.enum } : anyValue
  }
  for (const key of ['oneOf', 'anyOf'] as const) {
    const alternatives = node[key]
    if (Array.isArray(alternatives)) return choice(alternatives.map((item) => convert(item, names)))
  }
  if (Array.isArray(node.allOf)) return convert(mergeAll(node, node.allOf), names)
  const types = typesOf(node)
  if (types.length === 0) return anyValue
  return choice(types.map((type) => convertType(type, node, names)))
}

function convertReference(reference: string, names: ReadonlySet<string>): Schema {
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference)?.[1]
  return name !== undefined && names.has(name) ? { $ref: `#/$defs/${name}` } : anyValue
}

function typesOf(node: Schema): readonly string[] {
  if (typeof node.type === 'string') return [node.type]
  if (Array.isArray(node.type)) return node.type.filter((type) => typeof type === 'string')
  if ('properties' in node || 'additionalProperties' in node) return ['object']
  if ('items' in node || 'prefixItems' in node) return ['array']
  return []
}

function convertType(type: string, node: Schema, names: ReadonlySet<string>): Schema {
  if (type === 'object') return convertObject(node, names)
  if (type === 'array') return convertArray(node, names)
  if (type === 'string') return convertString(node)
  return ['number', 'integer', 'boolean', 'null'].includes(type) ? { type } : anyValue
}

function convertString(node: Schema): Schema {
  if (['date', 'time', 'date-time'].includes(String(node.format)))
    return { type: 'string', format: node.format }
  return { type: 'string', ...bounds(node, 'minLength', 'maxLength') }
}

function convertArray(node: Schema, names: ReadonlySet<string>): Schema {
  return {
    type: 'array',
    ...(Array.isArray(node.prefixItems) && {
      prefixItems: node.prefixItems.map((item) => convert(item, names)),
    }),
    ...(isObject(node.items) && { items: convert(node.items, names) }),
    ...bounds(node, 'minItems', 'maxItems'),
  }
}

function bounds(node: Schema, minimum: string, maximum: string): Schema {
  const kept: Record<string, number> = {}
  for (const key of [minimum, maximum]) {
    const value = node[key]
    if (typeof value === 'number' && value <= maxUnrolled) kept[key] = value
  }
  return kept
}

function convertObject(node: Schema, names: ReadonlySet<string>): Schema {
  const properties = Object.entries(asSchema(node.properties)).map(
    ([name, inner]) => [name, convert(inner, names)] as const,
  )
  const extra = node.additionalProperties
  const additionalProperties = isObject(extra)
    ? convert(extra, names)
    : extra === true || (extra === undefined && !('properties' in node))
  const required = new Set(Array.isArray(node.required) ? node.required : [])
  const optional = properties.map(([name]) => name).filter((name) => !required.has(name))
  return choice(
    optionalSets(optional).map((present) => ({
      type: 'object',
      properties: Object.fromEntries(
        properties.filter(([name]) => required.has(name) || present.includes(name)),
      ),
      additionalProperties,
    })),
  )
}

/** The sets of optional properties that an object may have: all of them, or with many, none, each one, and all. */
function optionalSets(names: readonly string[]): readonly (readonly string[])[] {
  if (names.length > maxFreeOptionals) return [[], ...names.map((name) => [name]), names]
  let sets: string[][] = [[]]
  for (const name of names) sets = sets.flatMap((set) => [set, [...set, name]])
  return sets
}

function mergeAll(node: Schema, parts: readonly unknown[]): Schema {
  const { allOf: _, ...rest } = node
  let merged: Schema = rest
  for (const part of parts) {
    if (!isObject(part)) continue
    const properties = { ...asSchema(merged.properties), ...asSchema(part.properties) }
    const required = [...asList(merged.required), ...asList(part.required)]
    merged = { ...merged, ...part, ...(Object.keys(properties).length > 0 && { properties, required }) }
  }
  return merged
}

function choice(alternatives: readonly Schema[]): Schema {
  return alternatives.length === 1 && alternatives[0] !== undefined
    ? alternatives[0]
    : { oneOf: alternatives }
}

function isLiteral(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asSchema(value: unknown): Schema {
  return isObject(value) ? value : {}
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
