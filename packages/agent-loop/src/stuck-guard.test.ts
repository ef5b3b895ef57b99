import { expect, it } from 'vitest'
import { stuckCycle } from './stuck-guard.js'

it.each<[string, string, number | undefined]>([
  ['', 'A', undefined],
  ['A', 'A', undefined],
  ['AA', 'A', 1],
  ['ABA', 'B', undefined],
  ['ABAB', 'A', 2],
  ['ABAB', 'B', undefined],
  ['XABAB', 'A', 2],
  ['ABCABC', 'A', 3],
  ['ABCAB', 'C', undefined],
  ['AAB', 'A', undefined],
  ['ABCD', 'A', undefined],
])('after %s the call %s closes a cycle of %s', (earlier, next, length) => {
  expect(stuckCycle([...earlier], next)).toBe(length)
})
