import type { JsonObject } from '@icm/errors'
import { type JsonSchema, type Schema, toJsonSchema } from '@icm/json-schema'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod/v3'
import { hasRequests, readRequests } from './__fixtures__/bfcl.js'
import { createToolRegistry } from './create-registry.js'
import { defineTool } from './define-tool.js'
import { ToolRegistryError } from './errors.js'
import type { InputSchema } from './input-schema.js'
import { toToolName } from './tool-names.js'

const ajv = new Ajv({ strict: false, validateFormats: false })
const toolOf = (input: InputSchema) =>
  defineTool({ name: 'read_file', description: 'Reads.', input: input as JsonSchema, run: () => 'text' })
const schemaOf = (input: InputSchema) => toJsonSchema(toolOf(input).input)

describe('all kinds of schemas say the same', () => {
  const expected = {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'The file' },
      lines: { type: 'integer', minimum: 1, default: 20 },
      mode: { type: 'string', enum: ['text', 'raw'] },
    },
    required: ['path'],
  }
  const standard: Schema<{ path: string }> = {
    '~standard': {
      version: 1,
      vendor: 'own',
      validate: (value) => ({ value: value as { path: string } }),
      jsonSchema: { input: () => structuredClone(expected) },
    },
  }
  it.each<[string, InputSchema]>([
    [
      'zod 4',
      z.object({
        path: z.string().describe('The file'),
        lines: z.number().int().min(1).default(20),
        mode: z.enum(['text', 'raw']).optional(),
      }),
    ],
    [
      'zod 3',
      z3.object({
        path: z3.string().describe('The file'),
        lines: z3.number().int().min(1).default(20),
        mode: z3.enum(['text', 'raw']).optional(),
      }),
    ],
    ['another Standard Schema', standard],
    ['raw JSON Schema', expected],
    [
      'raw JSON Schema with foreign names',
      {
        type: 'dict',
        properties: {
          path: { type: 'str', description: 'The file', required: true },
          lines: { type: 'int', minimum: 1, default: 20 },
          mode: { type: 'String', enum: ['text', 'raw'] },
        },
      },
    ],
  ])('%s', (_, input) => {
    expect(schemaOf(input)).toEqual(expected)
  })
})

describe('zod 3', () => {
  it('gives the input its type, validates and transforms', async () => {
    const tool = defineTool({
      name: 'add_days',
      description: 'Adds.',
      input: z3.object({
        days: z3.number().transform((days) => `${days} days`),
        unit: z3.string().default('d'),
      }),
      output: 'trusted',
      blastRadius: () => 0,
      run: (input) => {
        expectTypeOf(input).toEqualTypeOf<{ days: string; unit: string }>()
        return `${input.days} ${input.unit}`
      },
    })
    const registry = createToolRegistry({ tools: [tool], session: { trust: 'host' } })
    expect(await registry.run({ id: '1', name: 'add_days', arguments: { days: '3' } })).toMatchObject({
      text: '3 days d',
      repairs: ['days: "3" was read as the number 3.'],
    })
    expect((await registry.run({ id: '2', name: 'add_days', arguments: { days: 'x' } })).text).toContain(
      '"days" was given "x"; expected number',
    )
  })

  // What an enum of TypeScript is at run time: `enum { small, large = 'L' }`.
  const Size = { small: 0, 0: 'small', large: 'L' } as const
  const tree: z3.ZodType<unknown> = z3.lazy(() => z3.object({ name: z3.string(), children: z3.array(tree) }))
  const schemas: readonly z3.ZodTypeAny[] = [
    z3.object({ a: z3.string().min(2).max(3), b: z3.number().gt(1).lte(5).optional() }),
    z3.object({ a: z3.array(z3.boolean()).min(1), b: z3.record(z3.number()) }),
    z3.object({ a: z3.union([z3.string(), z3.number()]), b: z3.literal('x').nullable() }),
    z3.object({ a: z3.nativeEnum(Size), b: z3.enum(['u', 'v']).default('u') }),
    z3.object({ a: z3.tuple([z3.string(), z3.number()]), b: z3.any() }),
    z3.object({ a: z3.string() }).and(z3.object({ b: z3.number() })),
    z3.discriminatedUnion('a', [
      z3.object({ a: z3.literal('x'), b: z3.string() }),
      z3.object({ a: z3.literal('y') }),
    ]),
    z3.object({ a: z3.string().brand('id').readonly(), b: z3.string().pipe(z3.string()) }).strict(),
    z3.object({ a: tree }),
    z3.object({ a: z3.string().regex(/^u/), b: z3.null().optional() }).passthrough(),
  ]
  const leaf = fc.oneof(
    fc.constantFrom<unknown>('u', 'v', 'x', 'y', 'L', 'small', '', 0, 1, 2, 5, 1.5, true, null),
    fc.array(fc.oneof(fc.boolean(), fc.string({ maxLength: 2 }), fc.integer({ max: 3 })), { maxLength: 3 }),
    fc.record({ name: fc.string(), children: fc.constant([]) }),
  )
  const values = fc.record({ a: leaf, b: leaf, c: leaf }, { requiredKeys: [] })

  it.each(schemas.map((schema, index) => [index, schema] as const))(
    'what it accepts, its JSON Schema accepts, number %i',
    (_, schema) => {
      const check = ajv.compile(schemaOf(schema))
      fc.assert(
        fc.property(values, (value) => {
          if (schema.safeParse(value).success) expect(check(value)).toBe(true)
        }),
        { numRuns: 300 },
      )
    },
  )

  it('refuses a value that JSON cannot carry', () => {
    expect(() => schemaOf(z3.object({ at: z3.date() }))).toThrow('ZodDate of zod 3')
  })
})

describe('foreign names', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['any is no restriction', { type: 'any' }, {}],
    ['a list of texts', { type: 'List[str]' }, { type: 'array', items: { type: 'string' } }],
    [
      'a tuple keeps its items',
      { type: 'tuple', items: { type: 'float' } },
      { type: 'array', items: { type: 'number' } },
    ],
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'], nullable: true }],
    ['several types', { type: ['int', 'None'] }, { type: ['integer', 'null'] }],
    [
      'inside choices',
      { anyOf: [{ type: 'int' }, { type: 'dict' }] },
      { anyOf: [{ type: 'integer' }, { type: 'object' }] },
    ],
    ['an empty list of properties', { type: 'dict', properties: [] }, { type: 'object', properties: {} }],
    ['a default that is none', { type: 'str', default: null }, { type: 'string' }],
    [
      'a default that is not listed',
      { type: 'int', enum: [1, 2], default: 3 },
      { type: 'integer', enum: [1, 2] },
    ],
    ['an empty enum', { type: 'str', enum: [] }, { type: 'string' }],
    [
      'a value that looks like a type',
      { type: 'string', enum: ['dict'], default: 'dict' },
      { type: 'string', enum: ['dict'], default: 'dict' },
    ],
  ])('%s', (_, written, read) => {
    const schema = schemaOf({ type: 'object', properties: { value: written } })
    expect(schema.properties).toEqual({ value: read })
    expect(ajv.validateSchema(schema)).toBe(true)
  })

  it('that nobody knows are refused', () => {
    expect(() => schemaOf({ type: 'object', properties: { a: { type: 'wombat' } } })).toThrow(
      'has the type "wombat"',
    )
  })

  it('change nothing in a schema that is right', () => {
    const input = {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'string' } } },
      required: ['a'],
    }
    expect(toolOf(input).input).toBe(input)
  })
})

describe('a schema never becomes silently empty (F20)', () => {
  it.each<[string, unknown]>([
    ['a map of parameters', { path: { type: 'string' } }],
    ['a map of zod schemas', { path: z.string() }],
    ['parameters beside the type', { type: 'object', path: { type: 'string' } }],
    ['a definition of a function', { name: 'f', parameters: { type: 'object', properties: { a: {} } } }],
    ['anything', z.any()],
  ])('%s is refused', (_, input) => {
    expect(() => schemaOf(input as InputSchema)).toThrow('describes no parameters')
  })

  it('what cannot be described is refused, with the words of its library', () => {
    expect(() => schemaOf(z.custom(() => true))).toThrow(ToolRegistryError)
    expect(() => schemaOf(z.object({ at: z.date() }))).toThrow('Date cannot be represented in JSON Schema')
  })

  it.each<[string, InputSchema]>([
    ['an empty object', {}],
    ['a type only', { type: 'object' }],
    ['zod 4', z.object({})],
    ['zod 3', z3.object({})],
    ['any property', { type: 'object', additionalProperties: true }],
  ])('no parameters at all are allowed: %s', (_, input) => {
    expect(() => schemaOf(input)).not.toThrow()
  })
})

describe.skipIf(!hasRequests)('the requests of the leaderboard in ICM_SHARED', () => {
  it('have functions that are all accepted, as valid JSON Schema, with every parameter', {
    timeout: 120_000,
  }, () => {
    const seen = new Set<string>()
    let requests = 0
    for (const request of readRequests()) {
      requests += 1
      for (const { name, description, parameters } of request.function) {
        const text = JSON.stringify([name, description, parameters])
        if (seen.has(text)) continue
        seen.add(text)
        const tool = defineTool({
          name: toToolName(name),
          otherNames: [name],
          description,
          input: parameters,
          run: () => 'done',
        })
        const schema = toJsonSchema(tool.input)
        expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true)
        expect(Object.keys((schema.properties ?? {}) as object)).toEqual(
          Object.keys((parameters.properties ?? {}) as object),
        )
        expect(schema.type).toBe('object')
      }
    }
    expect(requests).toBe(1_053)
    expect(seen.size).toBeGreaterThanOrEqual(1_073)
  })
})

it('names that models may not send become names that they may, long ones with a hash', () => {
  expect(toToolName('uber.ride')).toBe('uber_ride')
  const twins = [toToolName(`${'a'.repeat(89)}1`), toToolName(`${'a'.repeat(89)}2`)]
  expect(new Set(twins).size).toBe(2)
  for (const name of twins) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
})
