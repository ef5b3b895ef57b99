import { IcmError, type JsonValue } from '@icm/errors'
import { isSchema, type JsonSchema, type Schema, toJsonSchema } from '@icm/json-schema'
import { ToolRegistryError } from './errors.js'
import { readForeignSchema } from './foreign-schema.js'
import { describeZod3, isZod3, type Zod3Like } from './zod3-schema.js'

/** Whatever may describe the input of a tool: zod 4 and other Standard Schemas that describe themselves, zod 3, JSON Schema. */
export type InputSchema = Schema | JsonSchema | Zod3Like

/**
 * Turns an input into what a registry works with: a self-describing schema, or a valid JSON Schema. A schema that would
 * come out empty although something was meant is refused, because the model would be told that there are no parameters
 * (field report F20).
 */
export function readInput(input: InputSchema): Schema | JsonSchema {
  if (isZod3(input)) return selfDescribing(input)
  if (isSchema(input)) {
    if (Object.keys(describeSelf(input)).length === 0) {
      throw badInput('its input describes no parameters', 'Describe an object, such as z.object({ … }).')
    }
    return input
  }
  const schema = readForeignSchema(input)
  const stray = strayKeys(schema)
  if (stray.length === 0) return schema
  throw badInput(
    `its input describes no parameters, but has ${stray.map((key) => JSON.stringify(key)).join(', ')}`,
    'Put the parameters into "properties" of { "type": "object" }, or into z.object({ … }).',
  )
}

function describeSelf(input: Schema): JsonSchema {
  try {
    return toJsonSchema(input)
  } catch (error) {
    if (IcmError.isInstance(error)) throw error
    throw badInput(
      `its input cannot be described: ${error instanceof Error ? error.message : String(error)}`,
      'Take what JSON can carry (text, numbers, lists, objects) and transform it.',
    )
  }
}

function selfDescribing(schema: Zod3Like): Schema {
  const described = describeZod3(schema)
  return {
    '~standard': {
      version: 1,
      vendor: 'zod',
      validate: async (value) => {
        const result = await schema.safeParseAsync(value)
        if (result.success) return { value: result.data }
        return { issues: result.error?.issues ?? [{ message: 'is not valid' }] }
      },
      jsonSchema: { input: () => described },
    },
  }
}

const DESCRIBING = [
  '$ref',
  'properties',
  'patternProperties',
  'additionalProperties',
  'anyOf',
  'oneOf',
  'allOf',
  'enum',
  'const',
  'not',
  'if',
  'propertyNames',
  'minProperties',
]
const HARMLESS = ['$schema', '$id', '$comment', '$defs', 'definitions', 'required', 'examples', 'default']

/** Keys that look like parameters put where keywords belong: `{ path: { type: 'string' } }`, `{ path: z.string() }`. */
function strayKeys(schema: JsonSchema): readonly string[] {
  if (DESCRIBING.some((key) => key in schema)) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    !HARMLESS.includes(key) && typeof value === 'object' && value !== null && !isTypeList(key, value)
      ? [key]
      : [],
  )
}

function isTypeList(key: string, value: JsonValue): boolean {
  return key === 'type' && Array.isArray(value)
}

function badInput(fault: string, instead: string): ToolRegistryError {
  return new ToolRegistryError({
    code: 'tool/bad-definition',
    what: `The tool was not defined: ${fault}.`,
    why: 'A model that sees an empty schema calls the tool without arguments.',
    instead,
  })
}
