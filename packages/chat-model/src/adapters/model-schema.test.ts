import type { JsonSchema } from '@icm/json-schema'
import { describe, expect, it } from 'vitest'
import { toModelSchema } from './model-schema.js'

const object = (properties: JsonSchema, rest: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...rest,
})

describe('B16: a schema with what Ollama would drop', () => {
  it('stays as it is, text for text, when it has nothing of the kind', () => {
    const plain = object(
      {
        query: { type: 'string', description: 'What to look for.' },
        kind: { description: 'x', enum: ['a', 'b'], type: 'string' },
        list: {
          type: 'array',
          items: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
        },
        either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      },
      { required: ['query'] },
    )
    expect(JSON.stringify(toModelSchema(plain))).toBe(JSON.stringify(plain))
  })

  it('loses nothing but keys that say nothing to a model', () => {
    const schema = {
      $schema: 'https://json-schema.org/x',
      ...object({}),
      additionalProperties: false,
      title: 'T',
    }
    expect(toModelSchema(schema)).toEqual(object({}))
  })

  it.each<[string, JsonSchema, JsonSchema]>([
    ['a type or null', { type: ['string', 'null'] }, { type: 'string' }],
    ['several types', { type: ['string', 'number', 'null'] }, { type: ['string', 'number'] }],
    [
      'anyOf with null',
      { description: 'd', anyOf: [{ type: 'integer' }, { type: 'null' }] },
      { type: 'integer', description: 'd' },
    ],
    ['oneOf', { oneOf: [{ type: 'string' }, { const: 1 }] }, { anyOf: [{ type: 'string' }, { enum: [1] }] }],
    ['const', { const: 'x' }, { enum: ['x'] }],
    [
      'bounds, a default, a format',
      { type: 'integer', minimum: 1, maximum: 500, default: 10, description: 'How many.' },
      { type: 'integer', description: 'How many. (at least 1; at most 500; default 10)' },
    ],
    [
      'a format without a description',
      { type: 'string', format: 'date' },
      { type: 'string', description: '(format date)' },
    ],
    [
      'the bounds that zod writes for every integer',
      { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
      { type: 'integer' },
    ],
    [
      'a tuple',
      { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
      { type: 'array', items: { type: 'string' } },
    ],
  ])('%s', (_, property, expected) => {
    expect(toModelSchema(object({ p: property }))).toEqual(object({ p: expected }))
  })

  it('writes references out, also inside of others', () => {
    const schema = object(
      { day: { $ref: '#/$defs/Day', description: 'When.' } },
      {
        $defs: {
          Day: object(
            { date: { $ref: '#/$defs/Date~1Time' } },
            { required: ['date'], description: 'A day.' },
          ),
          'Date/Time': { type: 'string' },
        },
      },
    )
    expect(toModelSchema(schema)).toEqual(
      object({ day: object({ date: { type: 'string' } }, { required: ['date'], description: 'When.' }) }),
    )
  })

  it('says it where a reference leads into itself, or nowhere', () => {
    const node = object({ child: { $ref: '#/$defs/Node' } })
    const inner = { type: 'object', description: 'Built like the object that it stands in.' }
    expect(toModelSchema(object({ tree: { $ref: '#/$defs/Node' } }, { $defs: { Node: node } }))).toEqual(
      object({ tree: object({ child: inner }) }),
    )
    expect(toModelSchema(object({ x: { $ref: 'https://example.org/x' } }))).toEqual(object({ x: inner }))
  })

  it('merges allOf', () => {
    const schema = {
      allOf: [{ $ref: '#/$defs/A' }, object({ b: { type: 'number' } }, { required: ['b'] })],
      $defs: { A: object({ a: { type: 'string' } }, { required: ['a'] }) },
    }
    expect(toModelSchema(schema)).toEqual(
      object({ a: { type: 'string' }, b: { type: 'number' } }, { required: ['a', 'b'] }),
    )
  })

  it('takes what would be refused: properties as a list, a property that is true', () => {
    expect(toModelSchema({ type: 'object', properties: [] })).toEqual(object({}))
    expect(toModelSchema(object({ any: true }))).toEqual(object({ any: {} }))
  })
})
