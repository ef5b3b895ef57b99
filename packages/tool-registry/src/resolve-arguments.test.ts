import { objectShape } from '@icm/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldedParameters } from './parameter-names.js'
import { resolveArguments } from './resolve-arguments.js'

const shape = objectShape({
  type: 'object',
  properties: { query: { type: 'string' }, max_results: { type: 'integer' }, input_file: { type: 'string' } },
})
const folded = foldedParameters(shape.properties.keys(), { query: ['q', 'text'] })
const resolve = (written: unknown) => resolveArguments({ toolName: 'find_documents', shape, folded }, written)
const valuesOf = (written: unknown) => {
  const resolved = resolve(written)
  return resolved.ok ? resolved.values : resolved.fault
}

describe('resolveArguments', () => {
  it.each<[string, unknown, unknown]>([
    ['an object', { query: 'tea' }, { query: 'tea' }],
    ['JSON text', '{"query":"tea"}', { query: 'tea' }],
    ['empty text', '', {}],
    ['white space', ' \n', {}],
    ['nothing', undefined, {}],
    ['null', null, {}],
    ['null as text', 'null', {}],
    ['wrapped in arguments', { arguments: { query: 'tea' } }, { query: 'tea' }],
    ['wrapped in input', { input: { query: 'tea' } }, { query: 'tea' }],
    ['wrapped in the tool name', { find_documents: { query: 'tea' } }, { query: 'tea' }],
    ['a whole call', { name: 'find_documents', arguments: { query: 'tea' } }, { query: 'tea' }],
    ['wrapped text', { arguments: '{"query":"tea"}' }, { query: 'tea' }],
    ['text of a wrapped object', '{"arguments":{"query":"tea"}}', { query: 'tea' }],
    ['an alias', { q: 'tea' }, { query: 'tea' }],
    ['other spelling', { MaxResults: 3, 'max-results': 3 }, { max_results: 3 }],
    ['an alias beside its parameter', { q: 'alias', query: 'own' }, { query: 'own' }],
    ['two aliases that agree', { q: 'tea', text: 'tea' }, { query: 'tea' }],
    ['near names', { Queries: 'tea', file_input: 'a' }, { query: 'tea', input_file: 'a' }],
    ['wrapped in a list', [{ query: 'tea' }], { query: 'tea' }],
    ['wrapped in anything, when all inside are parameters', { call: { query: 'tea' } }, { query: 'tea' }],
    ['an unknown argument', { query: 'tea', verbose: true }, { query: 'tea' }],
    [
      'names of Object.prototype',
      JSON.parse('{"query":"tea","__proto__":{"x":1},"constructor":1}'),
      { query: 'tea' },
    ],
  ])('reads %s', (_, written, expected) => {
    expect(valuesOf(written)).toEqual(expected)
  })

  it.each<[string, unknown, string]>([
    ['broken JSON', '{path: /tmp', 'The arguments were not valid JSON; they began with: {path: /tmp'],
    ['a bare word', 'tea', 'not valid JSON'],
    ['JSON text inside JSON text', '"{\\"query\\":\\"tea\\"}"', 'not an object with named parameters'],
    [
      'two aliases that differ',
      { q: 'tea', text: 'coffee' },
      '"q" and "text" both mean "query", and they differ',
    ],
    ['an array', ['tea'], 'The arguments were ["tea"], not an object'],
    ['a number', 7, 'The arguments were 7, not an object'],
    ['broken text in a wrapper', { arguments: '{"query": ' }, 'not valid JSON'],
  ])('refuses %s', (_, written, fault) => {
    expect(resolve(written)).toMatchObject({ ok: false, fault: expect.stringContaining(fault) })
  })

  it('guesses nothing that may mean two parameters, and nothing of the wrong type', () => {
    const two = objectShape({
      type: 'object',
      properties: { user_id: { type: 'string' }, order_id: { type: 'string' }, max_age: { type: 'integer' } },
    })
    const names = { toolName: 'find_it', shape: two, folded: foldedParameters(two.properties.keys()) }
    expect(resolveArguments(names, { id: 'x' })).toEqual({
      ok: false,
      fault: 'The argument "id" is no parameter and may mean "user_id" or "order_id".',
    })
    expect(resolveArguments(names, { id: 'x', user_id: 'u' })).toMatchObject({
      values: { order_id: 'x', user_id: 'u' },
    })
    expect(resolveArguments(names, { age: 'old' })).toMatchObject({
      values: {},
      repairs: ['The unknown argument "age" was dropped.'],
    })
    expect(resolveArguments(names, { age: '7' })).toMatchObject({ values: { max_age: '7' } })
  })

  it('quotes at most 200 characters of what is broken', () => {
    const resolved = resolve(`{${'x'.repeat(5_000)}`)
    expect(resolved.ok ? 0 : resolved.fault.length).toBeLessThan(300)
  })

  it('peels nothing that has a meaning of its own', () => {
    const open = objectShape({ type: 'object', properties: { input: { type: 'object' } } })
    const names = { toolName: 'run_it', shape: open, folded: foldedParameters(open.properties.keys()) }
    const resolved = resolveArguments(names, { input: { query: 1 } })
    expect(resolved).toMatchObject({ ok: true, values: { input: { query: 1 } }, repairs: [] })
  })

  it('keeps unknown arguments of a schema that is open for them', () => {
    const open = objectShape({ type: 'object', properties: {}, additionalProperties: true })
    const names = { toolName: 'run_it', shape: open, folded: new Map() }
    for (const values of [{ anything: 1 }, { input: { a: 1 } }, { arguments: { a: 1 } }]) {
      expect(resolveArguments(names, values)).toMatchObject({ ok: true, values, repairs: [] })
    }
  })

  it('refuses nesting that would overflow what comes after', () => {
    let deep: unknown = 1
    for (let level = 0; level < 10_000; level++) deep = { a: deep }
    expect(resolve({ query: deep })).toMatchObject({
      ok: false,
      fault: expect.stringContaining('nested more than 100'),
    })
  })

  it('never changes a valid call, whatever the aliases (property)', () => {
    const names = [
      'query',
      'max_results',
      'path',
      'q',
      'file',
      'input',
      'arguments',
      'name',
      'Path',
      'max-results',
    ]
    const values = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.dictionary(fc.string(), fc.integer(), { maxKeys: 3 }),
    )
    const toolWithCall = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }).chain((parameters) =>
      fc.record({
        parameters: fc.constant(parameters),
        aliases: fc.dictionary(fc.constantFrom(...parameters), fc.array(fc.constantFrom(...names)), {
          noNullPrototype: true,
        }),
        shared: fc.dictionary(fc.constantFrom(...names), fc.array(fc.constantFrom(...names)), {
          noNullPrototype: true,
        }),
        call: fc.dictionary(fc.constantFrom(...parameters), values, { noNullPrototype: true }),
      }),
    )
    fc.assert(
      fc.property(toolWithCall, ({ parameters, aliases, shared, call }) => {
        const properties = Object.fromEntries(parameters.map((name) => [name, {}]))
        const toolShape = objectShape({ type: 'object', properties })
        const resolved = resolveArguments(
          { toolName: 'run_it', shape: toolShape, folded: foldedParameters(parameters, aliases, shared) },
          call,
        )
        expect(resolved).toEqual({ ok: true, values: call, repairs: [] })
      }),
      { numRuns: 500 },
    )
  })
})
