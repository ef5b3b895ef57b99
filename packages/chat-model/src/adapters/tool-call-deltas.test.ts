import { expect, it } from 'vitest'
import { createCallAssembler } from './tool-call-deltas.js'

function assemble(...deltas: object[]) {
  const assembler = createCallAssembler()
  for (const delta of deltas) assembler.push([delta])
  return assembler.end()
}

const whole = (id: string, name: string, text: string, index = 0) => ({
  index,
  ...(id === '' ? {} : { id }),
  type: 'function',
  function: { name, arguments: text },
})
const more = (text: string, index = 0) => ({ index, function: { arguments: text } })
const search = (id: string, query: string) => ({ id, name: 'search', arguments: { query } })

it('joins the pieces of a call, also where two calls come mixed', () => {
  expect(
    assemble(
      whole('a', 'search', ''),
      whole('b', 'search', '', 1),
      more('{"query":'),
      more('{"qu', 1),
      more('"x"}'),
      more('ery":"y"}', 1),
    ),
  ).toEqual([search('a', 'x'), search('b', 'y')])
})

it('B08: keeps every whole call, though all have index 0 and some are equal', () => {
  const calls = ['a', 'b', 'c'].map((id) => whole(id, 'search', '{"query":"x"}'))
  expect(assemble(...calls)).toEqual([search('a', 'x'), search('b', 'x'), search('c', 'x')])
})

it('B08: keeps them also without ids', () => {
  const call = whole('', 'search', '{"query":"x"}')
  expect(assemble(call, call)).toEqual([search('', 'x'), search('', 'x')])
  expect(assemble(whole('', 'list', ''), whole('', 'list', ''))).toHaveLength(2)
  const { index: _, ...unnumbered } = call
  expect(assemble(unnumbered, unnumbered)).toEqual([search('', 'x'), search('', 'x')])
})

it('is not confused by a server that repeats id and name with every piece', () => {
  const pieces = ['{"query"', ':"x', '"}'].map((text) => whole('a', 'search', text))
  expect(assemble(...pieces)).toEqual([search('a', 'x')])
})

it('joins pieces without an index to the last call', () => {
  expect(
    assemble(
      { id: 'a', function: { name: 'search', arguments: '' } },
      { function: { arguments: '{"query":"x"}' } },
    ),
  ).toEqual([search('a', 'x')])
})

it('B02: no arguments are an empty object, an object stays one', () => {
  expect(assemble(whole('a', 'list', ''))).toEqual([{ id: 'a', name: 'list', arguments: {} }])
  expect(assemble({ id: 'a', function: { name: 'search', arguments: { query: 'x' } } })).toEqual([
    search('a', 'x'),
  ])
})

it('B03: arguments that break off stay text', () => {
  expect(assemble(whole('a', 'purge', '{"path": "/t'))).toEqual([
    { id: 'a', name: 'purge', arguments: '{"path": "/t' },
  ])
})

it('takes what is no list of calls', () => {
  const assembler = createCallAssembler()
  for (const odd of [undefined, null, {}, 'x', [null], [5]]) assembler.push(odd)
  expect(assembler.end().every((call) => call.name === '')).toBe(true)
})
