import { expect, it } from 'vitest'
import { hasPlaceholder, samePlace, segmentPattern } from './path-patterns.js'

it.each(['[slug]-x.md', '<run-id>/a.md', '{slug}.md', '{{SLUG}}.md', 'report-YYYY-MM-DD.md'])(
  '%s has a placeholder',
  (path) => {
    expect(hasPlaceholder(path)).toBe(true)
  },
)

it.each(['a.md', '{00-In,01-Out}/a.md', 'c#-notes.md'])('%s has none', (path) => {
  expect(hasPlaceholder(path)).toBe(false)
})

it.each([
  ['output/<product-slug>-x.md', 'output/[slug]-x.md', true],
  ['output/[slug]-x.md', 'output/my-x.md', true],
  ['output/a.md', 'output/a.md', true],
  ['output/[slug]/x.md', 'output/x.md', false],
  ['output/[slug]-x.md', 'output/my-y.md', false],
  ['a.b', 'aXb', false],
])('%s and %s name one file: %s', (left, right, expected) => {
  expect(samePlace(left, right)).toBe(expected)
  expect(samePlace(right, left)).toBe(expected)
})

it('never matches an empty name', () => {
  expect(segmentPattern('[slug]-x.md').test('-x.md')).toBe(false)
})
