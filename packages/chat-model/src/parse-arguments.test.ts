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

it('takes no arguments that nest by the thousands: nobody could write them down again', () => {
  const text = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`
  expect(parseArguments(text)).toBe(text)
  expect(parseArguments(JSON.parse(text))).toBe('(arguments nested more than 100 levels deep)')
  const fine = JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`)
  expect(parseArguments(fine)).toBe(fine)
})
