import { expect, it } from 'vitest'
import { isCommand, isExternalPath, looksLikePath, splitAnchor } from './path-text.js'

it.each([
  ['input.md', false],
  ['../01-scope/output/', false],
  ['c#-notes.md', false],
  ['runs/<run-id>/brief.md', false],
  ['output/[course slug]-x.md', false],
  ['/_core/CONVENTIONS.md', true],
  ['references/*.md', true],
  ['My Notes.md', true],
  ['shared/rules', true],
  ['{{NAME}}/x.md', true],
])('%s is a path (code: %s)', (text, code) => {
  expect(looksLikePath(text, code)).toBe(true)
})

it.each([
  ['UI/route layer', false],
  ['UI/route', false],
  ['yes / no', false],
  ['JSON', true],
  ['/run-cycle', true],
  ['format', true],
  ['.pptx', true],
  ['vX.Y.Z', true],
  ['2.0.1', true],
  ['git log a.md', true],
  ['My Notes.md', false],
  ['e.g.', false],
  ['...', false],
  ['..', true],
  ['https://x.org/a.md', true],
  ['', true],
])('%s is no path (code: %s)', (text, code) => {
  expect(looksLikePath(text, code)).toBe(false)
})

it.each(['~/notes.md', 'https://x.org', '@icm/x', '@file', 'mailto:a@b', 'C:\\x'])(
  '%s is external',
  (text) => {
    expect(isExternalPath(text)).toBe(true)
  },
)

it('tells commands from names', () => {
  expect(isCommand('git diff a...b')).toBe(true)
  expect(isCommand('git')).toBe(false)
  expect(isCommand('notes for git.md')).toBe(false)
})

it('splits an anchor only behind an extension', () => {
  expect(splitAnchor('../x.md#rules')).toEqual({ path: '../x.md', scope: '#rules' })
  expect(splitAnchor('x.md:10-20')).toEqual({ path: 'x.md', scope: 'lines 10-20' })
  expect(splitAnchor('x.md:10')).toEqual({ path: 'x.md', scope: 'line 10' })
  expect(splitAnchor('x.md#L3-L9')).toEqual({ path: 'x.md', scope: 'lines 3-9' })
  expect(splitAnchor('a:10-20')).toEqual({ path: 'a:10-20' })
  expect(splitAnchor('c#-notes.md')).toEqual({ path: 'c#-notes.md' })
})
