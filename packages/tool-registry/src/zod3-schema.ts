import type { JsonValue } from '@icm/errors'
import type { JsonSchema } from '@icm/json-schema'
import { ToolRegistryError } from './errors.js'

/**
 * A zod 3 schema, by what is read of it. zod 3 does not describe itself; its definition is walked here, because the
 * converter for it (zod-to-json-schema) has to import zod, and yields an empty schema for one of zod 4.
 */
export interface Zod3Like<Output = unknown> {
  readonly _def: { readonly typeName?: unknown }
  readonly _output: Output
  safeParseAsync(value: unknown): Promise<{
    readonly success: boolean
    readonly data?: Output
    readonly error?: {
      readonly issues: readonly { readonly message: string; readonly path: (string | number)[] }[]
    }
  }>
}

export function isZod3(value: unknown): value is Zod3Like {
  if (typeof value !== 'object' || value === null || '_zod' in value || !('_def' in value)) return false
  const definition: unknown = value._def
  if (typeof definition !== 'object' || definition === null || !('typeName' in definition)) return false
  return typeof definition.typeName === 'string' && definition.typeName.startsWith('Zod')
}

/** The JSON Schema of what a zod 3 schema takes. Throws `tool/bad-definition` for a type that JSON cannot carry. */
export function describeZod3(schema: Zod3Like): JsonSchema {
  return describe(schema, [])
}

// The definition of zod 3 as far as it is read; which parts are there depends on `typeName`.
interface Definition {
  readonly typeName: string
  readonly description?: string
  readonly checks?: readonly {
    readonly kind: string
    readonly value?: JsonValue
    readonly inclusive?: boolean
    readonly regex?: RegExp
  }[]
  readonly shape?: () => { readonly [name: string]: Zod3Like }
  readonly unknownKeys?: string
  readonly catchall?: Zod3Like
  readonly type?: Zod3Like
  readonly schema?: Zod3Like
  readonly innerType?: Zod3Like
  readonly valueType?: Zod3Like
  readonly in?: Zod3Like
  readonly left?: Zod3Like
  readonly right?: Zod3Like
  readonly getter?: () => Zod3Like
  readonly items?: readonly Zod3Like[]
  readonly rest?: Zod3Like | null
  readonly options?: readonly Zod3Like[] | ReadonlyMap<unknown, Zod3Like>
  readonly values?: readonly string[] | { readonly [key: string]: string | number }
  readonly value?: JsonValue
  readonly defaultValue?: () => unknown
  readonly minLength?: { readonly value: number } | null
  readonly maxLength?: { readonly value: number } | null
}

const MAX_DEPTH = 64
const FORMATS: { readonly [kind: string]: string } = {
  email: 'email',
  url: 'uri',
  uuid: 'uuid',
  datetime: 'date-time',
}

function describe(schema: Zod3Like, parents: readonly Zod3Like[]): JsonSchema {
  const definition = schema._def as Definition
  // A schema that contains itself has no end as plain JSON Schema; from there on anything goes.
  if (parents.includes(schema) || parents.length > MAX_DEPTH) return {}
  const inner = (part: Zod3Like) => describe(part, [...parents, schema])
  const described = describeContainer(definition, inner) ?? describePlain(definition)
  return definition.description === undefined
    ? described
    : { ...described, description: definition.description }
}

type Inner = (part: Zod3Like) => JsonSchema

function describeContainer(definition: Definition, inner: Inner): JsonSchema | undefined {
  switch (definition.typeName) {
    case 'ZodObject':
      return describeObject(definition, inner)
    case 'ZodArray':
    case 'ZodSet':
      return {
        type: 'array',
        ...describePart('items', definition.type ?? definition.valueType, inner),
        ...(definition.minLength ? { minItems: definition.minLength.value } : {}),
        ...(definition.maxLength ? { maxItems: definition.maxLength.value } : {}),
      }
    case 'ZodTuple':
      return {
        type: 'array',
        items: (definition.items ?? []).map(inner),
        minItems: definition.items?.length ?? 0,
      }
    case 'ZodRecord':
      return { type: 'object', ...describePart('additionalProperties', definition.valueType, inner) }
    case 'ZodUnion':
    case 'ZodDiscriminatedUnion':
      return { anyOf: [...(definition.options?.values() ?? [])].map(inner) }
    case 'ZodIntersection':
      return {
        allOf: [definition.left, definition.right].flatMap((part) =>
          part === undefined ? [] : [inner(part)],
        ),
      }
    case 'ZodNullable':
      return {
        anyOf: [definition.innerType === undefined ? {} : inner(definition.innerType), { type: 'null' }],
      }
    default:
      return describeWrapper(definition, inner)
  }
}

/** Types that only wrap another one: what goes in is the inner type. */
function describeWrapper(definition: Definition, inner: Inner): JsonSchema | undefined {
  const { typeName, innerType } = definition
  switch (typeName) {
    case 'ZodDefault': {
      const value = definition.defaultValue?.()
      return {
        ...(innerType === undefined ? {} : inner(innerType)),
        ...(value === undefined ? {} : { default: JSON.parse(JSON.stringify(value)) as JsonValue }),
      }
    }
    case 'ZodOptional':
    case 'ZodCatch':
    case 'ZodReadonly':
      return innerType === undefined ? {} : inner(innerType)
    case 'ZodBranded':
    case 'ZodPromise':
      return definition.type === undefined ? {} : inner(definition.type)
    case 'ZodEffects':
      return definition.schema === undefined ? {} : inner(definition.schema)
    case 'ZodPipeline':
      return definition.in === undefined ? {} : inner(definition.in)
    case 'ZodLazy':
      return definition.getter === undefined ? {} : inner(definition.getter())
    default:
      return undefined
  }
}

function describeObject({ shape, unknownKeys, catchall }: Definition, inner: Inner): JsonSchema {
  const properties = Object.entries(shape?.() ?? {})
  const required = properties.flatMap(([name, property]) => (isOptional(property) ? [] : [name]))
  const rest = (catchall?._def as Definition | undefined)?.typeName
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map(([name, property]) => [name, inner(property)])),
    ...(required.length === 0 ? {} : { required }),
    ...(rest !== undefined && rest !== 'ZodNever' && catchall !== undefined
      ? { additionalProperties: inner(catchall) }
      : unknownKeys === 'passthrough'
        ? { additionalProperties: true }
        : unknownKeys === 'strict'
          ? { additionalProperties: false }
          : {}),
  }
}

function isOptional(schema: Zod3Like): boolean {
  const { typeName, innerType, schema: effect, type, in: input } = schema._def as Definition
  if (['ZodOptional', 'ZodDefault', 'ZodCatch', 'ZodAny', 'ZodUnknown'].includes(typeName)) return true
  const wrapped =
    typeName === 'ZodBranded' ? type : (effect ?? (typeName === 'ZodPipeline' ? input : innerType))
  return wrapped !== undefined && typeName !== 'ZodNullable' ? isOptional(wrapped) : false
}

function describePart(key: string, part: Zod3Like | undefined, inner: Inner): JsonSchema {
  return part === undefined ? {} : { [key]: inner(part) }
}

function describePlain(definition: Definition): JsonSchema {
  switch (definition.typeName) {
    case 'ZodString':
      return { type: 'string', ...describeTextChecks(definition) }
    case 'ZodNumber':
      return describeNumber(definition)
    case 'ZodBoolean':
      return { type: 'boolean' }
    case 'ZodNull':
      return { type: 'null' }
    case 'ZodLiteral':
      return { const: definition.value ?? null }
    case 'ZodEnum':
      return { type: 'string', enum: Object.values(definition.values ?? []) }
    case 'ZodNativeEnum':
      return { enum: nativeValues(definition.values) }
    case 'ZodAny':
    case 'ZodUnknown':
      return {}
    default:
      throw new ToolRegistryError({
        code: 'tool/bad-definition',
        what: `The tool was not defined: its input has a ${definition.typeName} of zod 3.`,
        why: 'A model writes JSON, which has no such value.',
        instead: 'Take a string or a number and transform it.',
      })
  }
}

function describeTextChecks({ checks = [] }: Definition): JsonSchema {
  const described: { [key: string]: JsonValue } = {}
  for (const { kind, value, regex } of checks) {
    if (kind === 'min' && value !== undefined) described.minLength = value
    else if (kind === 'max' && value !== undefined) described.maxLength = value
    else if (kind === 'length' && value !== undefined)
      Object.assign(described, { minLength: value, maxLength: value })
    else if (kind === 'regex' && regex !== undefined && regex.flags === '') described.pattern = regex.source
    else if (FORMATS[kind] !== undefined) described.format = FORMATS[kind]
  }
  return described
}

function describeNumber({ checks = [] }: Definition): JsonSchema {
  const described: { [key: string]: JsonValue } = { type: 'number' }
  for (const { kind, value, inclusive } of checks) {
    if (kind === 'int') described.type = 'integer'
    else if (kind === 'multipleOf' && value !== undefined) described.multipleOf = value
    else if (kind === 'min' && value !== undefined)
      described[inclusive ? 'minimum' : 'exclusiveMinimum'] = value
    else if (kind === 'max' && value !== undefined)
      described[inclusive ? 'maximum' : 'exclusiveMaximum'] = value
  }
  return described
}

/** The values of a TypeScript enum, without the reverse entries of a numeric one. */
function nativeValues(values: Definition['values'] = {}): readonly (string | number)[] {
  const entries: readonly (readonly [string, string | number])[] = Object.entries(values)
  const byName = new Map(entries)
  // `{ A: 0, 0: 'A' }`: the second entry leads back to the first.
  const isReverse = (name: string, value: string | number) =>
    typeof value === 'string' && byName.get(value) === Number(name)
  return entries.filter(([name, value]) => !isReverse(name, value)).map(([, value]) => value)
}
