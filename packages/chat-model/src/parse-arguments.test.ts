import { expect, it } from 'vitest'
import { parseArguments } from './parse-arguments.js'

it.each<[unknown, unknown]>([
  ['{"q":1}', { q: 1 }],
  ['', {}],
  ['  ', {}],
  [undefined, {}],
  [null, {}],
  ['"text"', 'text'],
  ['{path: /tmp', '{path: /tmp'],
  [{ q: '{"inner":1}' }, { q: '{"inner":1}' }],
  [0, 0],
])('%j is %j', (written, meant) => {
  expect(parseArguments(written)).toEqual(meant)
})
