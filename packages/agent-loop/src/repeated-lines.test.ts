import { expect, it } from 'vitest'
import { cutRepeatedLines } from './repeated-lines.js'

it.each([
  [
    '# Notes\n- the same long line\n- the same long line\n\n- the same long line\n- the same long line',
    '# Notes\n- the same long line',
  ],
  ['- a line of words\n- a line of words\n- a line of words', undefined],
  ['---\n---\n---\n---', undefined],
  ['- first long line\n- second long line\n- first long line\n- second long line', undefined],
  ['', undefined],
])('%j becomes %j', (text, expected) => {
  expect(cutRepeatedLines(text)).toBe(expected)
})
