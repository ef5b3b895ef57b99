import { expect, it } from 'vitest'
import { normalizeKeepAlive } from './keep-alive.js'

it.each<[string | number, string | number]>([
  ['300', 300],
  ['-1', -1],
  [' 30m ', '30m'],
  ['1h30m', '1h30m'],
  ['1.5h', '1.5h'],
  ['-1s', '-1s'],
  [0, 0],
  [600, 600],
])('%j is %j', (given, expected) => {
  expect(normalizeKeepAlive(given)).toBe(expected)
})

it.each(['soon', '', '5 minutes', '30M', 'm', Number.NaN, Number.POSITIVE_INFINITY])(
  '%j is refused',
  (given) => {
    expect(() => normalizeKeepAlive(given)).toThrow(expect.objectContaining({ code: 'chat/bad-option' }))
  },
)
