import type { JsonSchema } from '@icm/json-schema'
import { expect, it } from 'vitest'
import { toFormatSchema } from './format-schema.js'

it('a schema that needs none of it stays as it is', () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer', minimum: 1 }, day: { type: 'string', pattern: '^[0-9]+$' } },
    required: ['n'],
    additionalProperties: false,
  }
  expect(toFormatSchema(schema)).toEqual(schema)
})

it('references are written out, also inside one another; one inside itself ends', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $ref: '#/$defs/Node',
    $defs: {
      Node: {
        type: 'object',
        properties: { name: { $ref: '#/$defs/Name' }, next: { $ref: '#/$defs/Node' } },
      },
      Name: { type: 'string', maxLength: 9 },
    },
  }
  const sent = toFormatSchema(schema)
  expect(sent).toEqual({
    type: 'object',
    properties: { name: { type: 'string', maxLength: 9 }, next: {} },
  })
  expect(JSON.stringify(sent)).not.toContain('$')
})

it('a pattern without both anchors goes, a property of that name stays', () => {
  const properties = { pattern: { type: 'string', pattern: 'a+' }, $ref: { type: 'string', pattern: '^a' } }
  expect(toFormatSchema({ type: 'object', properties })).toEqual({
    type: 'object',
    properties: { pattern: { type: 'string' }, $ref: { type: 'string' } },
  })
})

it.each([
  [
    { type: ['object', 'null'], properties: {} },
    { type: 'object', properties: {} },
  ],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, { type: 'integer' }],
  [
    { oneOf: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }] },
    { oneOf: [{ type: 'integer' }, { type: 'string' }] },
  ],
])('the null of the root %j goes', (schema, expected) => {
  expect(toFormatSchema(schema)).toEqual(expected)
})

it('values of enum and const are data', () => {
  const schema: JsonSchema = { enum: [{ $ref: '#/x' }, { pattern: 'a' }] }
  expect(toFormatSchema(schema)).toEqual(schema)
})
