import type { JsonValue } from '@icm/errors'
import type { JsonSchema } from '@icm/json-schema'
import { isObject, resolveReference } from './schema-reference.js'

/**
 * The copy of a tool's schema that a model is shown where the server keeps only type, description, properties, required,
 * items, enum and anyOf (Ollama; field report B16). What it would drop is said otherwise: references and allOf are
 * written out, oneOf becomes anyOf, const an enum of one, nullable its plain type; bounds, defaults and formats
 * go into the description. A schema without any of these comes back with the same text. Calls are validated
 * against the original.
 */
export function toModelSchema(schema: JsonSchema): JsonSchema {
  return convert(schema, { root: schema, open: [] })
}

interface Place {
  readonly root: JsonSchema
  /** References that are being written out, to notice one inside itself. */
  readonly open: readonly string[]
}

const kept = new Set(['type', 'description', 'properties', 'required', 'items', 'enum', 'anyOf'])

function convert(value: JsonValue | undefined, place: Place): JsonSchema {
  if (!isObject(value)) return {}
  const reference = value.$ref
  if (typeof reference === 'string') return convertReference(value, reference, place)
  const whole = withoutNull(mergeAllOf(value, place))
  const copy: { [key: string]: JsonValue } = {}
  for (const [key, part] of Object.entries(whole)) if (kept.has(key)) copy[key] = part
  if ('properties' in whole) {
    const properties = isObject(whole.properties) ? Object.entries(whole.properties) : []
    copy.properties = Object.fromEntries(properties.map(([name, part]) => [name, convert(part, place)]))
  }
  if ('items' in whole) copy.items = convert(Array.isArray(whole.items) ? whole.items[0] : whole.items, place)
  if (Array.isArray(whole.anyOf)) copy.anyOf = whole.anyOf.map((part) => convert(part, place))
  if (whole.const !== undefined) copy.enum = [whole.const]
  const notes = notesOf(whole)
  if (notes !== '') copy.description = [whole.description, `(${notes})`].filter(Boolean).join(' ')
  return copy
}

function convertReference(value: JsonSchema, reference: string, place: Place): JsonSchema {
  const { $ref: _, ...beside } = value
  const target = place.open.includes(reference) ? undefined : resolveReference(reference, place.root)
  if (target === undefined) {
    return convert(
      { type: 'object', description: 'Built like the object that it stands in.', ...beside },
      place,
    )
  }
  return convert({ ...target, ...beside }, { ...place, open: [...place.open, reference] })
}

function mergeAllOf(value: JsonSchema, place: Place): JsonSchema {
  if (!Array.isArray(value.allOf)) return value
  const { allOf, ...own } = value
  const parts = [own, ...allOf.map((part) => convert(part, place))]
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? part.required : []))
  const properties = parts.map((part) => (isObject(part.properties) ? part.properties : {}))
  return {
    ...Object.assign({}, ...parts.toReversed()),
    ...(properties.some((part) => Object.keys(part).length > 0)
      ? { properties: Object.assign({}, ...properties) }
      : {}),
    ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
  }
}

/** One of several, and none as one of them, become what is left. */
function withoutNull(value: JsonSchema): JsonSchema {
  const { oneOf, anyOf = oneOf, type, ...rest } = value
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : type
  const plain = {
    ...(types === undefined
      ? {}
      : { type: Array.isArray(types) && types.length === 1 ? (types[0] ?? 'string') : types }),
    ...rest,
  }
  if (!Array.isArray(anyOf)) return type === undefined ? rest : inOrder(value, plain)
  const choices = anyOf.filter((choice) => !isObject(choice) || choice.type !== 'null')
  const [only] = choices
  if (choices.length === 1 && isObject(only)) return { ...only, ...plain }
  return inOrder(value, { ...plain, anyOf: choices })
}

/** Keys as they stood, because a model reads the text. */
function inOrder(original: JsonSchema, changed: JsonSchema): JsonSchema {
  const keys = [...Object.keys(original), ...Object.keys(changed)].filter((key) => key in changed)
  return Object.fromEntries([...new Set(keys)].map((key) => [key, changed[key] as JsonValue]))
}

const noteTexts: { readonly [key: string]: string } = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
  multipleOf: 'a multiple of',
  minLength: 'at least this many characters:',
  maxLength: 'at most this many characters:',
  minItems: 'at least this many items:',
  maxItems: 'at most this many items:',
  pattern: 'pattern',
  format: 'format',
  default: 'default',
}

function notesOf(value: JsonSchema): string {
  const notes = Object.entries(noteTexts).flatMap(([key, text]) => {
    const bound = value[key]
    // zod writes the largest safe integers as bounds of every integer.
    if (bound === undefined || Math.abs(Number(bound)) >= Number.MAX_SAFE_INTEGER) return []
    return [`${text} ${typeof bound === 'string' ? bound : JSON.stringify(bound)}`]
  })
  return notes.join('; ')
}
