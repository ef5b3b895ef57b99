import { expect, it } from 'vitest'
import { parseGlob } from './glob.js'

it.each([
  ['*.md', 'a.md', ['a']],
  ['*.md', 'deep/er/a.md', ['a']],
  ['*.md', 'a.mdx', undefined],
  ['*', 'folder/any', ['any']],
  ['notes/*.md', 'notes/a.md', ['a']],
  ['notes/*.md', 'notes/deep/a.md', undefined],
  ['./notes/*.md', 'notes/a.md', ['a']],
  ['notes/**/*.md', 'notes/a.md', ['a']],
  ['notes/**/*.md', 'notes/x/y/a.md', ['a']],
  ['**/a.md', 'a.md', []],
  ['notes/**', 'notes/x/a.md', ['a.md']],
  ['*-?.{md,txt}', 'part-3.txt', ['part', '3']],
  ['*-?.{md,txt}', 'part-33.txt', undefined],
  ['a+b (1).txt', 'a+b (1).txt', []],
  ['a.b', 'axb', undefined],
  ['{', '{', []],
  ['}{', '}{', []],
  ['{a,b*}.txt', 'bx.txt', []],
])('%s against %s: %j', (pattern, path, expected) => {
  expect(parseGlob(pattern).match(path)).toEqual(expected)
})

it.each(['', 'notes/', '*a*a*a*a*a*a*a*a*b'])('refuses %j', (pattern) => {
  expect(() => parseGlob(pattern)).toThrow(/was not used/)
})
