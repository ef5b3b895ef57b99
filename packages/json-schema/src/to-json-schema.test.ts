import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod/v3'
import { type Infer, isSchema, type JsonSchema, type Schema, toJsonSchema } from './to-json-schema.js'

const person = z.object({
  name: z.string().describe('full name'),
  age: z.number().int().default(3),
  tags: z.array(z.enum(['a', 'b'])).optional(),
})

describe('toJsonSchema', () => {
  it('takes a zod 4 schema without a cast and describes its input', () => {
    expect(toJsonSchema(person)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'full name' },
        age: { type: 'integer', default: 3 },
        tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      },
      required: ['name'],
    })
  })

  it('keeps bounds that somebody wrote', () => {
    const schema = toJsonSchema(z.object({ score: z.number().int().min(0).max(100) }))
    expect(schema.properties).toEqual({ score: { type: 'integer', minimum: 0, maximum: 100 } })
  })

  it('describes what goes into a transform', () => {
    const schema = z.object({ size: z.string().transform((text) => text.length) })
    expect(toJsonSchema(schema).properties).toEqual({ size: { type: 'string' } })
  })

  it('returns a cleaned copy of a raw schema', () => {
    const raw: JsonSchema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { count: { type: 'integer', maximum: Number.MAX_SAFE_INTEGER } },
    }
    expect(toJsonSchema(raw)).toEqual({ type: 'object', properties: { count: { type: 'integer' } } })
    expect(raw.$schema).toBeDefined()
  })

  it('refuses a schema that cannot describe itself, instead of calling it empty', () => {
    const old = z3.object({ query: z3.string() }) as unknown as Schema
    expect(() => toJsonSchema(old)).toThrow(expect.objectContaining({ code: 'schema/no-json-schema' }))
  })
})

describe('the types', () => {
  it('accept zod 4 and infer what comes out of validation', () => {
    const schema = z.object({ size: z.string().transform((text) => text.length), age: z.number().default(1) })
    expectTypeOf(schema).toExtend<Schema>()
    expectTypeOf<Infer<typeof schema>>().toEqualTypeOf<{ size: number; age: number }>()
    expectTypeOf<Infer<typeof person>>().toEqualTypeOf<z.output<typeof person>>()
  })

  it('are found at run time too', () => {
    expect(isSchema(person)).toBe(true)
    for (const value of [{ type: 'object' }, null, undefined, 'x', 1]) expect(isSchema(value)).toBe(false)
  })
})
