import { describe, expect, it } from 'vitest'
import { fillDefaults, repairValue } from './repair.js'
import type { JsonSchema } from './to-json-schema.js'

const object = (properties: { readonly [name: string]: JsonSchema }): JsonSchema => ({
  type: 'object',
  properties,
})

describe('repairValue reads by the declared type', () => {
  it.each<[string, JsonSchema, unknown, unknown]>([
    ['number text', { type: 'integer' }, '20', 20],
    ['number text with spaces', { type: 'number' }, ' -1.5e2 ', -150],
    ['a whole number written with a point', { type: 'integer' }, '20.0', 20],
    ['boolean text', { type: 'boolean' }, 'true', true],
    ["Python's boolean", { type: 'boolean' }, 'False', false],
    ['null text for a nullable', { type: ['integer', 'null'] }, 'null', null],
    ["Python's None for a nullable", { anyOf: [{ type: 'number' }, { type: 'null' }] }, 'None', null],
    ['JSON text for an array', { type: 'array', items: { type: 'integer' } }, '[1,"2"]', [1, 2]],
    ['JSON text for an object', object({ n: { type: 'integer' } }), '{"n":"3"}', { n: 3 }],
    ['one element', { type: 'array', items: { type: 'string' } }, 'tea', ['tea']],
    ['one element that is itself mended', { type: 'array', items: { type: 'integer' } }, '7', [7]],
    [
      'null for an optional property',
      object({ n: { type: 'integer' }, q: {} }),
      { n: null, q: null },
      { q: null },
    ],
    ['an enum of numbers', { enum: [1, 2, 3] }, '2', 2],
    ['an element of an array', { type: 'array', items: { type: 'boolean' } }, ['true', false], [true, false]],
    [
      'an additional property',
      { type: 'object', additionalProperties: { type: 'number' } },
      { a: '1' },
      { a: 1 },
    ],
    [
      'behind a reference',
      { ...object({ n: { $ref: '#/$defs/N' } }), $defs: { N: { type: 'integer' } } },
      { n: '4' },
      { n: 4 },
    ],
    [
      'behind allOf',
      { allOf: [object({ a: { type: 'integer' } }), object({ b: { type: 'boolean' } })] },
      { a: '1', b: 'true' },
      { a: 1, b: true },
    ],
    [
      'draft-07 tuples',
      { type: 'array', items: [{ type: 'integer' }, { type: 'string' }] },
      ['1', '1'],
      [1, '1'],
    ],
    ['2020-12 tuples', { type: 'array', prefixItems: [{ type: 'integer' }] }, ['1'], [1]],
  ])('%s', (_, schema, value, expected) => {
    const repaired = repairValue(schema, value)
    expect(repaired.value).toEqual(expected)
    expect(repaired.repairs.length).toBeGreaterThan(0)
  })

  it('mends what the field report B17 shows and says so', () => {
    const schema = object({
      n: { type: 'integer' },
      ids: { type: 'array', items: { type: 'integer' } },
      note: { type: 'string' },
    })
    const repaired = repairValue(schema, { n: '5', ids: '[1,2]', note: '[1]' })
    expect(repaired.value).toEqual({ n: 5, ids: [1, 2], note: '[1]' })
    expect(repaired.repairs).toEqual([
      'n: "5" was read as the number 5.',
      'ids: "[1,2]" was read as an array.',
    ])
  })

  it('names the place of a nested repair', () => {
    const schema = object({ rows: { type: 'array', items: object({ n: { type: 'integer' } }) } })
    expect(repairValue(schema, { rows: [{ n: 1 }, { n: '2' }] }).repairs).toEqual([
      'rows[1].n: "2" was read as the number 2.',
    ])
  })
})

describe('repairValue leaves alone', () => {
  it.each<[string, JsonSchema, unknown]>([
    ['a declared string that looks like a number', { type: 'string' }, '20'],
    ['a declared string that looks like JSON', { type: 'string' }, '[1]'],
    ['a nullable string that says null', { type: ['string', 'null'] }, 'null'],
    ['words', { type: 'integer' }, 'five'],
    ['a fraction where a whole number is wanted', { type: 'integer' }, '1.5'],
    ['a thousands separator', { type: 'number' }, '1,000'],
    ['leading zeros', { type: 'integer' }, '007'],
    ['hexadecimal', { type: 'integer' }, '0x10'],
    ['a number that would lose digits', { type: 'integer' }, '12345678901234567890'],
    ['a number that would be infinite', { type: 'number' }, '1e999'],
    ['an empty text', { type: 'number' }, ''],
    ['two possible readings', { type: ['number', 'boolean', 'array'], items: { type: 'integer' } }, '1'],
    ['a list that may be one element or two', { type: 'array', items: { type: 'string' } }, 'a, b'],
    ['an array that was cut off', { type: 'array', items: { type: 'string' } }, '["a", "b'],
    ['an element of the wrong type', { type: 'array', items: { type: 'integer' } }, 'tea'],
    ['null for an array', { type: 'array', items: { type: 'string' } }, null],
    ['null for a required property', { ...object({ n: { type: 'integer' } }), required: ['n'] }, { n: null }],
    ['null for a nullable property', object({ n: { type: ['integer', 'null'] } }), { n: null }],
    ['a number outside an enum', { enum: [1, 2] }, '3'],
    ['an object text that is an array', { type: 'object' }, '[1]'],
    [
      'one of several possible objects',
      { anyOf: [object({ n: { type: 'integer' } }), object({ n: { type: 'string' } })] },
      { n: '1' },
    ],
    ['anything without a declared type', {}, '20'],
    ['a reference that leads nowhere', { $ref: '#/$defs/missing' }, '20'],
    ['a foreign reference', { $ref: 'https://example.org/schema.json' }, '20'],
    ['a number where a string is declared', { type: 'string' }, 5],
  ])('%s', (_, schema, value) => {
    expect(repairValue(schema, value)).toEqual({ value, repairs: [] })
  })

  it('gives back the very same object when there is nothing to mend', () => {
    const value = { n: 1, rows: [{ a: 'x' }] }
    expect(repairValue(object({ n: { type: 'integer' } }), value).value).toBe(value)
  })

  it('does not change its argument', () => {
    const value = Object.freeze({ n: '1' })
    expect(repairValue(object({ n: { type: 'integer' } }), value).value).toEqual({ n: 1 })
    expect(value.n).toBe('1')
  })

  it('takes no inherited property for a declared one and sets no prototype', () => {
    const value = JSON.parse('{"__proto__": {"polluted": "1"}, "constructor": "2", "n": "3"}') as object
    const repaired = repairValue(object({ n: { type: 'integer' } }), value).value as Record<string, unknown>
    expect(Object.getPrototypeOf(repaired)).toBe(Object.prototype)
    expect(repaired.constructor).toBe('2')
    expect(repaired.n).toBe(3)
    expect(Object.hasOwn(repaired, '__proto__')).toBe(true)
  })

  it('stops at a recursive schema and at very deep values', () => {
    const loop: JsonSchema = { $ref: '#' }
    expect(repairValue(loop, '1').value).toBe('1')
    const list: JsonSchema = { type: 'array', items: { $ref: '#' } }
    let deep: unknown = []
    for (let level = 0; level < 5_000; level++) deep = [deep]
    expect(repairValue(list, deep).value).toBe(deep)
  })
})

describe('fillDefaults', () => {
  const schema = object({
    limit: { type: 'integer', default: 5 },
    tags: { type: 'array', default: [] },
    q: { type: 'string' },
  })

  it('adds declared defaults of absent parameters only', () => {
    expect(fillDefaults(schema, { q: 'tea' })).toEqual({ q: 'tea', limit: 5, tags: [] })
    expect(fillDefaults(schema, { limit: 0, tags: ['a'] })).toEqual({ limit: 0, tags: ['a'] })
  })

  it('hands out a fresh copy each time', () => {
    const first = fillDefaults(schema, {}) as { tags: string[] }
    first.tags.push('changed')
    expect(fillDefaults(schema, {})).toEqual({ limit: 5, tags: [] })
  })

  it('leaves what is no object', () => {
    expect(fillDefaults(schema, 'text')).toBe('text')
  })
})
