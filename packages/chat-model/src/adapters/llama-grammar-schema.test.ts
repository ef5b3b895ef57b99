import type { JsonSchema } from '@icm/json-schema'
import { expect, it } from 'vitest'
import { toGrammarSchema } from './llama-grammar-schema.js'

/** The converted schema without the choice that wraps every root. */
function converted(schema: object): unknown {
  const { oneOf } = toGrammarSchema(schema as JsonSchema)
  expect(oneOf).toHaveLength(1)
  return oneOf[0]
}

const any = {
  oneOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'object', additionalProperties: true },
    { type: 'array' },
  ],
}

it('offers an object with and without each optional property, because the engine requires all it lists', () => {
  const schema = {
    type: 'object',
    properties: { query: { type: 'string' }, limit: { type: 'integer' }, site: { type: 'string' } },
    required: ['query'],
  }
  const { oneOf } = converted(schema) as { oneOf: { properties: object; additionalProperties: boolean }[] }
  expect(oneOf.map((object) => Object.keys(object.properties))).toEqual([
    ['query'],
    ['query', 'site'],
    ['query', 'limit'],
    ['query', 'limit', 'site'],
  ])
  expect(oneOf.every((object) => object.additionalProperties === false)).toBe(true)
})

it('offers only none, each one and all of many optional properties', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]))
  const { oneOf } = converted({ type: 'object', properties }) as { oneOf: { properties: object }[] }
  expect(oneOf.map((object) => Object.keys(object.properties).join(''))).toEqual(['', ...names, 'abcdef'])
})

it.each([
  ['drops what a grammar cannot say', { type: 'string', pattern: '^a', format: 'email' }, { type: 'string' }],
  ['drops bounds of numbers', { type: 'number', minimum: 1, maximum: 5 }, { type: 'number' }],
  ['keeps a date format', { type: 'string', format: 'date' }, { type: 'string', format: 'date' }],
  [
    'keeps short lengths',
    { type: 'string', minLength: 1, maxLength: 20 },
    { type: 'string', minLength: 1, maxLength: 20 },
  ],
  ['drops long lengths', { type: 'string', maxLength: 5000 }, { type: 'string' }],
  ['keeps enum', { enum: ['a', 1, null] }, { enum: ['a', 1, null] }],
  ['keeps const', { const: 3 }, { const: 3 }],
  ['widens an enum of objects', { enum: [{}] }, any],
  [
    'reads anyOf as a choice',
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    { oneOf: [{ type: 'string' }, { type: 'null' }] },
  ],
  [
    'splits a list of types',
    { type: ['array', 'null'], items: { type: 'integer' } },
    { oneOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'null' }] },
  ],
  ['takes an empty schema for any value', {}, any],
  ['takes an unknown type for any value', { type: 'date' }, any],
  [
    'lets an object without properties hold anything',
    { type: 'object' },
    { type: 'object', properties: {}, additionalProperties: true },
  ],
  [
    'lets an object with no properties hold nothing',
    { type: 'object', properties: {} },
    { type: 'object', properties: {}, additionalProperties: false },
  ],
  ['takes a reference to nowhere for any value', { $ref: '#' }, any],
])('%s', (_, schema, expected) => {
  expect(converted(schema)).toEqual(expected)
})

it('joins the parts of allOf', () => {
  const schema = {
    allOf: [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { properties: { b: { type: 'integer' } }, required: ['b'] },
    ],
  }
  expect(converted(schema)).toEqual({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'integer' } },
    additionalProperties: false,
  })
})

it('keeps definitions and references to them, also those that lead back to themselves', () => {
  const node = {
    type: 'object',
    properties: { next: { anyOf: [{ $ref: '#/definitions/node' }, { type: 'null' }] } },
    required: ['next'],
  }
  const grammar = toGrammarSchema({
    $ref: '#/definitions/node',
    definitions: { node },
  } as unknown as JsonSchema)
  expect(grammar.oneOf).toEqual([{ $ref: '#/$defs/node' }])
  expect(grammar.$defs).toEqual({
    node: {
      type: 'object',
      properties: { next: { oneOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
      additionalProperties: false,
    },
  })
})
