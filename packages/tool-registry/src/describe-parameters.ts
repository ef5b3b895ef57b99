import type { JsonValue } from '@icm/errors'
import type { JsonSchema, ObjectShape } from '@icm/json-schema'

const MAX_LISTED_VALUES = 12

/** A parameter's type in a few words: `integer`, `array of string`, `one of "a", "b"`. */
export function describeType(schema: JsonSchema | undefined): string {
  if (schema === undefined) return 'a value'
  const listed = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (Array.isArray(listed)) {
    const shown = listed.slice(0, MAX_LISTED_VALUES).map((value) => JSON.stringify(value))
    return `one of ${shown.join(', ')}${listed.length > MAX_LISTED_VALUES ? ', …' : ''}`
  }
  if (schema.type === 'array')
    return isSchemaObject(schema.items) ? `array of ${describeType(schema.items)}` : 'array'
  if (typeof schema.type === 'string') return schema.type
  if (Array.isArray(schema.type)) return schema.type.join(' or ')
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) {
    return [
      ...new Set(choices.map((choice) => describeType(isSchemaObject(choice) ? choice : undefined))),
    ].join(' or ')
  }
  return 'a value'
}

/** The arguments of a call as a pattern that a model can fill in: `{"query": string, "max_results"?: integer}`. */
export function describeSignature(shape: ObjectShape): string {
  const parts = [...shape.properties].map(([name, schema]) => {
    const optional = shape.required.includes(name) ? '' : '?'
    return `${JSON.stringify(name)}${optional}: ${describeType(schema)}`
  })
  return `{${parts.join(', ')}}`
}

function isSchemaObject(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
