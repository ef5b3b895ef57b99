import type { JsonValue } from '@icm/errors'
import {
  allowsType,
  branchTypes,
  isJsonSchema,
  jsonTypeOf,
  objectShape,
  schemaBranches,
} from './repair-branches.js'
import type { JsonSchema } from './to-json-schema.js'

/** A value after repair, and one sentence for each change. */
export interface RepairedValue {
  readonly value: unknown
  readonly repairs: readonly string[]
}

/**
 * Mends the slips that language models make in JSON values: `"20"` for 20, `"true"` for true, JSON written as
 * text for an array or object, one element for an array, `"null"` for null, null for an optional property.
 *
 * Only by the declared type, and only when exactly one reading is possible; a value whose type is already allowed
 * is never touched (a declared string stays what it is). What cannot be mended stays as it was, for a validator to
 * refuse. Never throws, never changes its arguments. Source of the rule: field report B17.
 */
export function repairValue(schema: JsonSchema, value: unknown): RepairedValue {
  return repairAt({ root: schema, depth: 0 }, schema, value, '')
}

/** Adds the declared `default` of every absent top-level property; a value that is not an object stays as it is. */
export function fillDefaults(schema: JsonSchema, value: unknown): unknown {
  if (!isPlainObject(value)) return value
  const missing = [...objectShape(schema).properties].filter(
    ([name, property]) =>
      property.default !== undefined && (!Object.hasOwn(value, name) || value[name] === undefined),
  )
  if (missing.length === 0) return value
  return Object.fromEntries([
    ...Object.entries(value),
    ...missing.map(([name, property]) => [name, structuredClone(property.default)] as const),
  ])
}

interface Place {
  readonly root: JsonSchema
  readonly depth: number
}

// Values nested deeper than this are left to the validator; it also bounds recursive schemas.
const MAX_DEPTH = 64

function repairAt(place: Place, schema: JsonValue | undefined, value: unknown, path: string): RepairedValue {
  const unchanged = { value, repairs: [] }
  if (place.depth > MAX_DEPTH) return unchanged
  const branches = schemaBranches(place.root, schema).map((branch) => ({
    branch,
    types: branchTypes(branch),
  }))
  if (branches.some(({ types }) => types === undefined)) return unchanged
  const allowing = branches.filter(({ types }) => allowsType(types ?? [], value))
  const [only] = allowing
  if (only !== undefined) {
    return allowing.length === 1 ? repairInside(place, only.branch, value, path) : unchanged
  }
  const readings = branches.flatMap(({ branch, types }) =>
    (types ?? []).flatMap((type) => readAs(place, type, branch, value, path)),
  )
  const distinct = new Map(readings.map((reading) => [JSON.stringify(reading.value), reading]))
  const [reading] = distinct.values()
  return reading !== undefined && distinct.size === 1 ? reading : unchanged
}

/** Repairs the parts of an object or array whose own type is right. */
function repairInside(place: Place, branch: JsonSchema, value: unknown, path: string): RepairedValue {
  const deeper = { ...place, depth: place.depth + 1 }
  const repairs: string[] = []
  const repairPart = (schema: JsonValue | undefined, part: unknown, partPath: string): unknown => {
    if (!isJsonSchema(schema)) return part
    const repaired = repairAt(deeper, schema, part, partPath)
    repairs.push(...repaired.repairs)
    return repaired.value
  }
  if (Array.isArray(value)) {
    const items = value.map((item, index) => repairPart(itemSchema(branch, index), item, `${path}[${index}]`))
    return { value: repairs.length === 0 ? value : items, repairs }
  }
  if (!isPlainObject(value)) return { value, repairs }
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const innerPath = path === '' ? key : `${path}.${key}`
    if (inner === null && isOmitted(place, branch, key)) {
      repairs.push(`${innerPath}: null was left out, because the property is optional and never null.`)
      return []
    }
    return [[key, repairPart(propertySchema(branch, key), inner, innerPath)] as const]
  })
  return { value: repairs.length === 0 ? value : Object.fromEntries(entries), repairs }
}

/** Whether null can only mean that a property was not given: it is declared, optional, and cannot be null. */
function isOmitted(place: Place, branch: JsonSchema, key: string): boolean {
  const { properties, required } = branch
  if (!isJsonSchema(properties) || !Object.hasOwn(properties, key)) return false
  if (Array.isArray(required) && required.includes(key)) return false
  return schemaBranches(place.root, properties[key]).every((inner) => {
    const types = branchTypes(inner)
    return types !== undefined && !types.includes('null')
  })
}

/** The reading of a wrongly typed value as one allowed type: none or one. */
function readAs(
  place: Place,
  type: string,
  branch: JsonSchema,
  value: unknown,
  path: string,
): readonly RepairedValue[] {
  const read = typeof value === 'string' ? readText(type, value) : undefined
  if (read !== undefined) {
    if (!isListed(branch, read.value)) return []
    const inner = repairInside(place, branch, read.value, path)
    return [
      {
        value: inner.value,
        repairs: [`${named(path)}: ${quote(value)} was read as ${read.kind}.`, ...inner.repairs],
      },
    ]
  }
  return type === 'array' ? wrapElement(place, branch, value, path) : []
}

function readText(
  type: string,
  text: string,
): { readonly value: unknown; readonly kind: string } | undefined {
  const trimmed = text.trim()
  if (type === 'number' || type === 'integer') {
    const number = readNumber(trimmed)
    if (number === undefined || (type === 'integer' && !Number.isInteger(number))) return undefined
    return { value: number, kind: `the number ${number}` }
  }
  if (type === 'boolean' && /^(true|false)$/i.test(trimmed)) {
    const flag = trimmed.toLowerCase() === 'true'
    return { value: flag, kind: String(flag) }
  }
  if (type === 'null' && /^(null|none)$/i.test(trimmed)) return { value: null, kind: 'null' }
  if (type === 'array' && trimmed.startsWith('[')) return parseAs('array', trimmed)
  if (type === 'object' && trimmed.startsWith('{')) return parseAs('object', trimmed)
  return undefined
}

// JSON's own number grammar: "1,000", "0x10", "007" and "" have more than one reading or none.
function readNumber(text: string): number | undefined {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return undefined
  const number = Number(text)
  if (!Number.isFinite(number)) return undefined
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? undefined : number
}

function parseAs(
  type: 'array' | 'object',
  text: string,
): { readonly value: unknown; readonly kind: string } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return jsonTypeOf(value) === type ? { value, kind: `an ${type}` } : undefined
  } catch {
    return undefined
  }
}

function wrapElement(
  place: Place,
  branch: JsonSchema,
  value: unknown,
  path: string,
): readonly RepairedValue[] {
  if (value === null || value === undefined || Array.isArray(value)) return []
  // "a, b" may be one element or two, and "[a" a list cut off.
  if (typeof value === 'string' && /^\s*\[|[,;\n]/.test(value)) return []
  const schema = itemSchema(branch, 0)
  if (!isJsonSchema(schema)) return []
  const element = repairAt({ ...place, depth: place.depth + 1 }, schema, value, `${path}[0]`)
  const allowed = schemaBranches(place.root, schema).some((inner) => {
    const types = branchTypes(inner)
    return types !== undefined && allowsType(types, element.value)
  })
  if (!allowed) return []
  return [
    {
      value: [element.value],
      repairs: [`${named(path)}: one element was made an array.`, ...element.repairs],
    },
  ]
}

function itemSchema(branch: JsonSchema, index: number): JsonValue | undefined {
  const listed = Array.isArray(branch.prefixItems) ? branch.prefixItems : branch.items
  if (Array.isArray(listed)) return listed[index]
  return branch.items
}

function propertySchema(branch: JsonSchema, key: string): JsonValue | undefined {
  const { properties, additionalProperties } = branch
  if (isJsonSchema(properties) && Object.hasOwn(properties, key)) return properties[key]
  return additionalProperties
}

function isListed(branch: JsonSchema, value: unknown): boolean {
  if (!Array.isArray(branch.enum)) return true
  const wanted = JSON.stringify(value)
  return branch.enum.some((allowed) => JSON.stringify(allowed) === wanted)
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function named(path: string): string {
  return path === '' ? 'The value' : path
}

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= 60 ? text : `${text.slice(0, 57).replace(/[\ud800-\udbff]$/, '')}…`
}
