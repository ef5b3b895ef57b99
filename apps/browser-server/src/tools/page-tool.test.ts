import { expect, it } from 'vitest'
import { linesThatFit } from './page-tool.js'

it.each([
  [[], 10, 0, 0],
  [['abc', 'def'], 8, 2, 0],
  [['abc', 'def'], 7, 1, 1],
  [['abcdefghij', 'x'], 5, 0, 2],
])('of %j fit in %i characters %i, and %i are left', (lines, characters, shown, left) => {
  expect(linesThatFit(lines, characters)).toEqual({ shown: lines.slice(0, shown), left })
})
