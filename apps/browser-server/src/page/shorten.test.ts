import { expect, it } from 'vitest'
import { headOf, shorten } from './shorten.js'

it.each([
  ['short', 10, 'short'],
  ['one two three', 9, 'one two…'],
  ['abcdefghijkl', 5, 'abcd…'],
  ['👩‍👩‍👧👩‍👩‍👧', 10, '👩‍👩‍👧…'],
])('%j in %i characters is %j', (text, length, expected) => {
  expect(shorten(text, length)).toBe(expected)
})

it('ends a head at a paragraph, else at a line, else at a whole character', () => {
  const words = 'word '.repeat(30)
  expect(headOf(`${words}\n\n${words}`, 180)).toBe(words)
  expect(headOf(`${words}\n${words}`, 180)).toBe(words)
  expect(headOf(words.repeat(3), 100)).toHaveLength(100)
  expect(headOf(`${'x'.repeat(9)}${'é'.normalize('NFD')}y`, 10)).toBe('x'.repeat(9))
  expect(headOf('all of it', 9)).toBe('all of it')
})
