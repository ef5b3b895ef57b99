import type { JsonValue } from '@icm/errors'
import type { JsonSchema } from '@icm/json-schema'
import { ToolRegistryError } from './errors.js'
import { isSchemaObject } from './is-schema-object.js'
import { isOfType } from './meant-property.js'

/** JSON Schema's types, and what other languages and catalogues call them. `any` stands for no restriction. */
const TYPE_NAMES: { readonly [type: string]: readonly string[] } = {
  object: ['dict', 'dictionary', 'map', 'mapping', 'hashmap', 'record', 'struct'],
  array: ['list', 'tuple', 'set', 'sequence', 'vector', 'arraylist'],
  string: [
    'str',
    'text',
    'char',
    'varchar',
    'date',
    'datetime',
    'time',
    'timestamp',
    'uuid',
    'url',
    'uri',
    'email',
    'path',
  ],
  number: ['float', 'double', 'decimal', 'real', 'float32', 'float64'],
  integer: ['int', 'long', 'short', 'bigint', 'int32', 'int64', 'uint'],
  boolean: ['bool'],
  null: ['none', 'nil', 'void', 'nonetype'],
  any: ['unknown', 'mixed', '*'],
}
const MEANINGS = new Map(
  Object.entries(TYPE_NAMES).flatMap(([type, names]) =>
    [type, ...names].map((name) => [name, type] as const),
  ),
)

const MAX_DEPTH = 64
/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const SCHEMAS = [
  'items',
  'additionalProperties',
  'not',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
  'additionalItems',
]
const SCHEMA_LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']
const NAMED_SCHEMAS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']

/**
 * Reads a JSON Schema as others write it: `dict`, `float`, `tuple`, `any` and their like, `List[str]`, `nullable`,
 * `required: true` at the property itself, `properties: []`, a default that the schema itself refuses. Returns the same object when there is nothing to change.
 * Throws `tool/bad-definition` for a type that nobody knows, because leaving it out would let anything through.
 */
export function readForeignSchema(schema: JsonSchema): JsonSchema {
  return readAt(schema, 0)
}

function readAt(schema: JsonSchema, depth: number): JsonSchema {
  if (depth > MAX_DEPTH) return schema
  const changes: { [key: string]: JsonValue | undefined } = {}
  for (const key of NAMED_SCHEMAS) {
    if (key in schema) changes[key] = readNamed(schema[key], depth)
  }
  for (const key of SCHEMA_LISTS) {
    const list = schema[key]
    if (Array.isArray(list)) changes[key] = readList(list, depth)
  }
  for (const key of SCHEMAS) {
    const inner = schema[key]
    if (isSchemaObject(inner)) changes[key] = readAt(inner, depth + 1)
  }
  if ('required' in schema) changes.required = Array.isArray(schema.required) ? schema.required : undefined
  if (isSchemaObject(schema.properties)) changes.required = liftRequired(schema, schema.properties)
  if (Array.isArray(schema.enum) && schema.enum.length === 0) changes.enum = undefined
  Object.assign(changes, readType(schema))
  if (!isOwnDefault({ ...schema, ...changes } as JsonSchema)) changes.default = undefined
  const changed = Object.entries(changes).some(([key, value]) => schema[key] !== value)
  if (!changed) return schema
  const entries = Object.entries({ ...schema, ...changes }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as JsonSchema
}

/** A default that its own schema refuses (null for a text, a word that is not listed) would fail every call that leaves it. */
function isOwnDefault(schema: JsonSchema): boolean {
  const { default: value, type } = schema
  if (value === undefined) return true
  if (Array.isArray(schema.enum)) return schema.enum.includes(value)
  const types = type === undefined ? [] : [type].flat()
  return types.length === 0 || types.some((name) => isOfType(value, name))
}

function readNamed(value: JsonValue | undefined, depth: number): JsonValue {
  if (!isSchemaObject(value)) return {} // `[]` is how some languages write an empty object
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    isSchemaObject(inner) ? readAt(inner, depth + 1) : inner,
  ])
  return entries.every(([name, inner]) => value[String(name)] === inner)
    ? value
    : (Object.fromEntries(entries) as JsonSchema)
}

function readList(list: readonly JsonValue[], depth: number): readonly JsonValue[] {
  const read = list.map((inner) => (isSchemaObject(inner) ? readAt(inner, depth + 1) : inner))
  return read.every((inner, index) => inner === list[index]) ? list : read
}

/** `{ path: { required: true } }` → `required: ['path']`, as schemas before draft 4 had it. */
function liftRequired(schema: JsonSchema, properties: JsonSchema): JsonValue | undefined {
  const own = Array.isArray(schema.required) ? schema.required : []
  const lifted = Object.entries(properties).flatMap(([name, property]) =>
    isSchemaObject(property) && property.required === true && !own.includes(name) ? [name] : [],
  )
  if (lifted.length > 0) return [...own, ...lifted]
  return Array.isArray(schema.required) ? schema.required : undefined
}

function readType(schema: JsonSchema): { [key: string]: JsonValue | undefined } {
  const { type, nullable } = schema
  if (type === undefined) return {}
  const named = (Array.isArray(type) ? type : [type]).map(readTypeName)
  const types = [...new Set(named.map(({ meaning }) => meaning))]
  if (types.includes('any')) return { type: undefined }
  if (nullable === true && !types.includes('null')) types.push('null')
  const items =
    schema.items === undefined ? named.find(({ element }) => element !== undefined)?.element : undefined
  const same = Array.isArray(type)
    ? types.every((name, index) => name === type[index]) && types.length === type.length
    : types.length === 1 && types[0] === type
  return {
    type: same ? type : types.length === 1 ? types[0] : types,
    ...(items === undefined ? {} : { items: { type: items } }),
  }
}

function readTypeName(name: JsonValue): { readonly meaning: string; readonly element?: string } {
  const [, base = '', inner] = /^\s*([\w*]+)\s*(?:[[<(]\s*(\w+)[^\]>)]*[\]>)])?\s*$/.exec(String(name)) ?? []
  const meaning = MEANINGS.get(base.toLowerCase())
  if (meaning === undefined) {
    throw new ToolRegistryError({
      code: 'tool/bad-definition',
      what: `The tool was not defined: its input has the type ${JSON.stringify(name)}.`,
      why: `The types are: ${Object.keys(TYPE_NAMES).join(', ')}; also names like dict, float, tuple.`,
      instead: 'Write one of these types.',
    })
  }
  const element = inner === undefined ? undefined : MEANINGS.get(inner.toLowerCase())
  return meaning === 'array' && element !== undefined && element !== 'any'
    ? { meaning, element }
    : { meaning }
}
