import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import { JsonSchemaError } from './errors.js'
import { type Infer, isSchema, type JsonSchema, type Schema, type StandardIssue } from './to-json-schema.js'

/** One fault of a value: where (`''` is the value itself, else `a.b[0]`), and what was expected. */
export interface ValidationIssue {
  readonly path: string
  readonly message: string
}

export type ValidationResult<Output = unknown> =
  | { readonly valid: true; readonly value: Output }
  | { readonly valid: false; readonly issues: readonly ValidationIssue[] }

/**
 * Validates a value; a self-describing schema may change it (defaults, transforms), a raw JSON Schema does not.
 * Never throws on a bad value. Throws `schema/invalid-schema` when a raw schema does not compile.
 */
export async function validate<S extends Schema>(
  schema: S,
  value: unknown,
): Promise<ValidationResult<Infer<S>>>
export async function validate(schema: Schema | JsonSchema, value: unknown): Promise<ValidationResult>
export async function validate(schema: Schema | JsonSchema, value: unknown): Promise<ValidationResult> {
  if (isSchema(schema)) {
    const result = await schema['~standard'].validate(value)
    if (result.issues === undefined) return { valid: true, value: result.value }
    return { valid: false, issues: result.issues.map(fromStandardIssue) }
  }
  const check = await compile(schema)
  if (check(value)) return { valid: true, value }
  return { valid: false, issues: (check.errors ?? []).map(fromAjvError) }
}

const compiled = new WeakMap<JsonSchema, ValidateFunction>()
const engines: { draft07?: Ajv; draft2020?: Ajv } = {}

async function compile(schema: JsonSchema): Promise<ValidateFunction> {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const engine = await loadEngine(schema)
  try {
    const { $id: _, ...anonymous } = schema // two schemas with one $id would clash in ajv's registry
    const check = engine.compile(anonymous)
    compiled.set(schema, check)
    return check
  } catch (cause) {
    throw new JsonSchemaError(
      {
        code: 'schema/invalid-schema',
        what: `A JSON Schema was not compiled: ${cause instanceof Error ? cause.message : String(cause)}.`,
        why: 'It is not a valid draft-07 or 2020-12 schema.',
        instead: 'Mend the schema at the named place.',
      },
      { cause },
    )
  }
}

// ajv is loaded on the first raw schema only: most programs never validate one, and its import is slow.
async function loadEngine(schema: JsonSchema): Promise<Ajv> {
  const options = { strict: false, validateFormats: false, allErrors: true, addUsedSchema: false } as const
  if (String(schema.$schema ?? '').includes('2020-12') || '$defs' in schema) {
    engines.draft2020 ??= new (await import('ajv/dist/2020.js')).Ajv2020(options)
    return engines.draft2020
  }
  engines.draft07 ??= new (await import('ajv')).Ajv(options)
  return engines.draft07
}

function fromStandardIssue(issue: StandardIssue): ValidationIssue {
  const keys = (issue.path ?? []).map((part) => (typeof part === 'object' ? part.key : part))
  return { path: formatPath(keys.map(String)), message: issue.message }
}

function fromAjvError(error: ErrorObject): ValidationIssue {
  const keys = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const allowed =
    error.params.allowedValues ?? (error.keyword === 'const' ? [error.params.allowedValue] : undefined)
  const suffix = Array.isArray(allowed) ? `: ${allowed.map((value) => JSON.stringify(value)).join(', ')}` : ''
  return { path: formatPath(keys), message: (error.message ?? error.keyword) + suffix }
}

function formatPath(keys: readonly string[]): string {
  return keys.map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : index === 0 ? key : `.${key}`)).join('')
}
