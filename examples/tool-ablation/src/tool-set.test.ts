import { expect, it } from 'vitest'
import { mostTools, realTools, toolSet } from './tool-set.js'

const names = (count: number, repeat: number) => toolSet(count, repeat).map(({ name }) => name)

it.each([5, 10, 15, 25, 40])('%i tools: the real ones among decoys, each once', (count) => {
  const set = names(count, 1)
  expect(set).toHaveLength(count)
  expect(new Set(set).size).toBe(count)
  expect(set).toEqual(expect.arrayContaining(realTools.map(({ name }) => name)))
})

it('equal numbers give equal sets, another repeat another order and other decoys', () => {
  expect(mostTools).toBe(40)
  expect(names(15, 2)).toEqual(names(15, 2))
  expect(names(40, 1)).not.toEqual(names(40, 2))
  expect([...names(15, 1)].sort()).not.toEqual([...names(15, 2)].sort())
  // Not all real ones in front, where they would be easy to find.
  const places = realTools.map(({ name }) => names(40, 1).indexOf(name))
  expect(Math.max(...places)).toBeGreaterThan(10)
})

it('a larger set of the same repeat keeps the decoys of the smaller', () => {
  expect(names(25, 1)).toEqual(expect.arrayContaining(names(10, 1)))
})
