import { expect, it } from 'vitest'
import { nearestName } from './nearest-name.js'

it.each([
  ['serch', ['search', 'extract'], 'search'],
  ['extarct', ['search', 'extract'], 'extract'],
  ['Outline', ['01-scope', '03-outline'], '03-outline'],
  ['contxt_window', ['context_window', 'base_url'], 'context_window'],
  ['weather', ['search', 'extract'], undefined],
  ['x', ['search'], undefined],
])('%s among %j is %s', (name, candidates, expected) => {
  expect(nearestName(name, candidates)).toBe(expected)
})
