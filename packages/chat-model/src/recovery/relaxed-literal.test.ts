import { expect, it } from 'vitest'
import { readLiteral } from './relaxed-literal.js'

it.each<[string, unknown]>([
  ['{"a":[1,-2.5e3,true,null]}', { a: [1, -2500, true, null] }],
  ["{'a': True, 'b': None,}", { a: true, b: null }],
  ['"line\\nbreak \\u00e9 \\"q\\" \\\\ \\/"', 'line\nbreak é "q" \\ /'],
  ['"""three\n"quotes" """', 'three\n"quotes" '],
  ['"\\d+"', '\\d+'],
  ['""', ''],
  ['[]', []],
  ['{"__proto__":{"x":1}}', JSON.parse('{"__proto__":{"x":1}}')],
])('%s', (text, expected) => {
  expect(readLiteral(text, 0)).toEqual({ value: expected, end: text.length })
})

it.each([
  '{a: 1}',
  '{"a" 1}',
  '{"a":1',
  '[1 2]',
  '"open',
  'word',
  '01x',
  '',
  '[,]',
  '{"a":}',
  '['.repeat(500),
])('%s is no literal', (text) => {
  expect(readLiteral(text, 0)).toBeUndefined()
})

it('reads from the middle and says where it ends', () => {
  expect(readLiteral('x = [1] # rest', 3)).toEqual({ value: [1], end: 7 })
})
