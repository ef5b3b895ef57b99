import { describe, expect, it } from 'vitest'
import { objectShape } from './repair-branches.js'

describe('objectShape', () => {
  it('gathers the parameters of choices and keeps as required what every choice requires', () => {
    const shape = objectShape({
      anyOf: [
        {
          type: 'object',
          properties: { id: { type: 'integer' }, name: { type: 'string' } },
          required: ['id', 'name'],
        },
        {
          type: 'object',
          properties: { id: { type: 'integer' }, path: { type: 'string' } },
          required: ['id', 'path'],
        },
      ],
    })
    expect([...shape.properties.keys()]).toEqual(['id', 'name', 'path'])
    expect(shape.required).toEqual(['id'])
    expect(shape.open).toBe(false)
  })

  it('looks into the choices of an object that has properties of its own', () => {
    const shape = objectShape({
      type: 'object',
      properties: { a: {} },
      oneOf: [{ properties: { b: { type: 'string' } } }, { required: ['a'] }],
    })
    expect([...shape.properties.keys()]).toEqual(['a', 'b'])
  })

  it('follows a reference at the root', () => {
    const shape = objectShape({
      $ref: '#/definitions/Call',
      definitions: { Call: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] } },
    })
    expect([...shape.properties]).toEqual([['q', { type: 'string' }]])
    expect(shape.required).toEqual(['q'])
  })

  it.each([
    [{ type: 'object', properties: {} }, false],
    [{ type: 'object', properties: {}, additionalProperties: false }, false],
    [{ type: 'object', properties: {}, additionalProperties: true }, true],
    [{ type: 'object', properties: {}, patternProperties: { '^x-': {} } }, true],
    [{ type: 'object' }, true],
  ])('%j is open: %s', (schema, open) => {
    expect(objectShape(schema).open).toBe(open)
  })
})
