import type { JsonObject, JsonValue } from '@icm/errors'
import { JsonSchemaError } from './errors.js'

/** A JSON Schema document (draft-07 or 2020-12) as plain JSON. */
export type JsonSchema = JsonObject

/** What Standard Schema 1.0 says about a validation failure. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/**
 * A schema that validates and describes itself: Standard Schema (https://standardschema.dev) plus Standard
 * JSON Schema. zod 4 schemas satisfy it as they are.
 */
export interface Schema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly jsonSchema: {
      readonly input: (options: { readonly target: 'draft-07' }) => Record<string, unknown>
    }
  }
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** The type that a schema's values have after validation. */
export type Infer<S extends Schema> = NonNullable<S['~standard']['types']>['output']

/** True for a self-describing schema, false for a raw JSON Schema. */
export function isSchema(value: unknown): value is Schema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  return '~standard' in value
}

/**
 * Turns a self-describing schema into the JSON Schema of its *input* (defaulted fields stay optional,
 * extra properties allowed); a raw JSON Schema is returned as a cleaned copy.
 *
 * Dropped as noise for a small model: `$schema`, and the ±9007199254740991 bounds that zod writes for every
 * integer. Throws `schema/no-json-schema` when a schema cannot describe itself (zod 3), because an empty schema
 * would silently tell the model that a tool has no parameters.
 */
export function toJsonSchema(schema: Schema | JsonSchema): JsonSchema {
  if (!isSchema(schema)) return clean(schema)
  const describe = schema['~standard'].jsonSchema?.input
  if (describe === undefined) {
    throw new JsonSchemaError({
      code: 'schema/no-json-schema',
      what: `A ${schema['~standard'].vendor} schema was not turned into JSON Schema.`,
      why: 'It implements Standard Schema without Standard JSON Schema (zod 3 does not describe itself).',
      instead: 'Use zod 4.2 or newer, or pass a raw JSON Schema object.',
    })
  }
  return clean(describe({ target: 'draft-07' }) as JsonSchema)
}

function clean(schema: JsonSchema): JsonSchema {
  const { $schema: _, ...rest } = schema
  return cleanValue(rest) as JsonSchema
}

function cleanValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(cleanValue)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key, inner]) => !isIntegerNoise(key, inner))
  return Object.fromEntries(entries.map(([key, inner]) => [key, cleanValue(inner)]))
}

function isIntegerNoise(key: string, value: JsonValue | undefined): boolean {
  return (
    (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
    (key === 'maximum' && value === Number.MAX_SAFE_INTEGER)
  )
}
