import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { canonicalJson, hashJson } from './canonical-json.js'
import { JsonSchemaError } from './errors.js'

describe('canonicalJson', () => {
  it('does not depend on the order of keys, at any depth', () => {
    const one = { b: [{ y: 1, x: 2 }], a: null }
    const other = { a: null, b: [{ x: 2, y: 1 }] }
    expect(canonicalJson(one)).toBe('{"a":null,"b":[{"x":2,"y":1}]}')
    expect(canonicalJson(other)).toBe(canonicalJson(one))
  })

  it('sorts keys by UTF-16 code units, as RFC 8785 asks', () => {
    // The example of section 3.2.3: the emoji's first code unit is smaller than that of U+FB33.
    const keys = ['€', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', 'ö']
    const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])))
    expect(Object.keys(JSON.parse(text))).toEqual(['1', '\r', '\u0080', 'ö', '€', '\u{1f600}', '\ufb33'])
  })

  it.each<[unknown, string]>([
    [1e21, '1e+21'],
    [-0, '0'],
    [0.1, '0.1'],
    [Number('333333333.33333329'), '333333333.3333333'],
    ['\u2028"\\', '"\u2028\\"\\\\"'],
    [[], '[]'],
    [{}, '{}'],
    [[undefined, 1], '[null,1]'],
    [{ a: undefined, b: 1 }, '{"b":1}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ])('writes %j', (value, expected) => {
    expect(canonicalJson(value)).toBe(expected)
  })

  it('round trips what JSON can hold', () => {
    const value = { text: 'ä\n', list: [1, [true, null]], nested: { '': { deep: -1.5e-7 } } }
    expect(JSON.parse(canonicalJson(value))).toEqual(value)
  })

  it('allows the same object twice side by side', () => {
    const shared = { x: 1 }
    expect(canonicalJson([shared, shared])).toBe('[{"x":1},{"x":1}]')
  })

  it.each([
    ['NaN', Number.NaN, 'NaN'],
    ['an infinity', { a: Number.POSITIVE_INFINITY }, 'Infinity'],
    ['a bigint', [1n], 'a bigint'],
    ['a function', { run() {} }, 'a function'],
    ['a symbol', Symbol('x'), 'a symbol'],
    ['undefined at the top', undefined, 'contains undefined'],
  ])('refuses %s', (_, value, found) => {
    expect(() => canonicalJson(value)).toThrow(JsonSchemaError)
    expect(() => canonicalJson(value)).toThrow(found)
  })

  it('refuses a cycle', () => {
    const loop: { self?: unknown } = {}
    loop.self = { inner: loop }
    expect(() => canonicalJson(loop)).toThrow(expect.objectContaining({ code: 'schema/not-json' }))
  })
})

describe('hashJson', () => {
  it('is SHA-256 over the canonical text', () => {
    expect(hashJson({ b: 1, a: 'ä' })).toBe(createHash('sha256').update('{"a":"ä","b":1}').digest('hex'))
  })

  it('tells different values apart', () => {
    const values = [{}, [], '', 0, null, false, { a: 1 }, { a: '1' }, [{ a: 1 }]]
    expect(new Set(values.map(hashJson)).size).toBe(values.length)
  })
})
