import { expect, it } from 'vitest'
import { cutRepeatedLines } from './repeated-lines.js'

const line = '- the same long line with words'

it.each([
  [`# Notes\n${line}\n${line}\n\n${line}`, `# Notes\n${line}`],
  [
    '1. the first of two lines\n2. the second\n3. the first of two lines\n4. the second\n5. the first of two lines\n6. the second',
    '1. the first of two lines\n2. the second',
  ],
  [`${line}\n${line}`, undefined],
  ['---\n---\n---\n---', undefined],
  ['| a | b |\n| a | b |\n| a | b |', undefined],
  [`${line} 1\n${line} 2\n${line} 3`, undefined],
  ['', undefined],
])('%j becomes %j', (text, expected) => {
  expect(cutRepeatedLines(text)).toBe(expected)
})
