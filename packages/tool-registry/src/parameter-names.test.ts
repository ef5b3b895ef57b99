import { expect, it } from 'vitest'
import { foldedParameters, foldName } from './parameter-names.js'

it('folds case, hyphens, underscores and spaces', () => {
  for (const name of ['max_results', 'maxResults', 'MAX-RESULTS', 'max results']) {
    expect(foldName(name)).toBe('maxresults')
  }
})

it.each<[string, string[], Record<string, string[]>, Record<string, string[]>, Record<string, string>]>([
  ['own names', ['path', 'maxLines'], {}, {}, { path: 'path', maxlines: 'maxLines' }],
  ['an alias', ['path'], { path: ['file'] }, {}, { path: 'path', file: 'path' }],
  [
    'a shared alias of a parameter that the tool has',
    ['path'],
    {},
    { path: ['file'], url: ['link'] },
    { path: 'path', file: 'path' },
  ],
  ['an own name before an alias', ['path', 'file'], { path: ['file'] }, {}, { path: 'path', file: 'file' }],
  [
    'an alias of the tool before a shared one',
    ['a', 'b'],
    { a: ['x'] },
    { b: ['x'] },
    { a: 'a', b: 'b', x: 'a' },
  ],
  ['no meaning for an alias of two parameters', ['a', 'b'], { a: ['x'], b: ['X'] }, {}, { a: 'a', b: 'b' }],
  [
    'no help from a weaker layer either',
    ['a', 'b'],
    { a: ['x'], b: ['x'] },
    { a: ['x'] },
    { a: 'a', b: 'b' },
  ],
  ['no meaning for two parameters that fold to one', ['max_n', 'maxN'], {}, {}, {}],
])('knows %s', (_, parameters, aliases, shared, expected) => {
  expect(Object.fromEntries(foldedParameters(parameters, aliases, shared))).toEqual(expected)
})
