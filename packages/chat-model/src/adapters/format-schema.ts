import type { JsonValue } from '@icm/errors'
import type { JsonSchema } from '@icm/json-schema'
import { isObject, resolveReference } from './schema-reference.js'

/**
 * The copy of an output schema that a llama.cpp server turns into a grammar (field report B15). There an unanchored
 * `pattern`, a `$ref` and a root that may be null are errors, or leave the answer unconstrained without a word. So references
 * are written out, such patterns left away and the null taken off the root. What is lost the caller validates; the
 * original stands in the prompt.
 */
export function toFormatSchema(schema: JsonSchema): JsonSchema {
  const root = convert(schema, { root: schema, open: [] })
  if (!isObject(root)) return {}
  const { $schema: _, $defs: __, definitions: ___, ...rest } = root
  return withoutNullRoot(rest)
}

interface Place {
  readonly root: JsonSchema
  /** References that are being written out, to notice one inside itself. */
  readonly open: readonly string[]
}

function convert(value: JsonValue | undefined, place: Place): JsonValue {
  if (Array.isArray(value)) return value.map((item) => convert(item, place))
  if (!isObject(value)) return value ?? {}
  if (typeof value.$ref === 'string') {
    const { $ref: reference, ...beside } = value
    const target = place.open.includes(reference) ? undefined : resolveReference(reference, place.root)
    const whole = { ...target, ...beside }
    return convert(whole, { ...place, open: [...place.open, reference] })
  }
  // How a reference is written that has something beside it.
  if (Array.isArray(value.allOf) && value.allOf.length === 1 && isObject(value.allOf[0])) {
    const { allOf, ...beside } = value
    return convert({ ...value.allOf[0], ...beside }, place)
  }
  const entries = Object.entries(value).filter(([key, part]) => key !== 'pattern' || isAnchored(part))
  return Object.fromEntries(
    // The values of these two are data, not schemas.
    entries.map(([key, part]) => [
      key,
      key === 'enum' || key === 'const' ? part : convertPart(key, part, place),
    ]),
  )
}

/** Names of properties are no keywords: one may be called `pattern` or `$ref`. */
function convertPart(key: string, part: JsonValue | undefined, place: Place): JsonValue {
  if (key === '$defs' || key === 'definitions') return {}
  if (key !== 'properties' || !isObject(part)) return convert(part, place)
  return Object.fromEntries(Object.entries(part).map(([name, property]) => [name, convert(property, place)]))
}

function isAnchored(pattern: JsonValue | undefined): boolean {
  return typeof pattern === 'string' && pattern.startsWith('^') && pattern.endsWith('$')
}

function withoutNullRoot(root: JsonSchema): JsonSchema {
  const { type, anyOf, oneOf, ...rest } = root
  const isNull = (choice: JsonValue) => isObject(choice) && choice.type === 'null'
  const copy: { [key: string]: JsonValue } = { ...rest }
  if (Array.isArray(type)) copy.type = oneOrAll(type.filter((one) => one !== 'null'))
  else if (type !== undefined) copy.type = type
  const choices = { anyOf, oneOf }
  for (const key of ['anyOf', 'oneOf'] as const) {
    const list = choices[key]
    if (!Array.isArray(list)) continue
    const left = list.filter((choice) => !isNull(choice))
    const [only] = left
    if (left.length === 1 && isObject(only)) Object.assign(copy, only)
    else copy[key] = left
  }
  return copy
}

function oneOrAll(types: readonly JsonValue[]): JsonValue {
  return types.length === 1 ? (types[0] ?? []) : [...types]
}
