import { expect, it } from 'vitest'
import { stripHidden } from './strip-hidden.js'

it.each([
  ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
  ['a terminal title', 'a\u001b]0;evil\u0007b', 'ab'],
  ['a hyperlink', '\u001b]8;;https://evil\u001b\\text\u001b]8;;\u001b\\', 'text'],
  ['an unfinished string', 'a\u001b]0;never closed', 'a'],
  ['8-bit control', 'a\u009b31mb', 'ab'],
  ['a bell and a null', 'a\u0007\u0000b', 'ab'],
  ['bidi override', 'user\u202etxt.exe\u202c', 'usertxt.exe'],
  ['isolates and marks', '\u2066a\u2069\u200eb\u200f', 'ab'],
  ['zero width', 'pass\u200bword\ufeff', 'password'],
  ['joiners inside Latin words', 'pass\u200dword\u200c', 'password'],
  ['soft hyphens', 'hy\u00adphen', 'hyphen'],
  ['tag characters', `a${String.fromCodePoint(0xe0041, 0xe0042)}b`, 'ab'],
  ['rows of variation selectors', 'a\ufe0f\ufe01\ufe02\ufe03b', 'a\ufe0fb'],
  ['line breaks of every kind', 'a\r\nb\rc\u2028d\u2029e', 'a\nb\nc\nd\ne'],
])('removes or mends %s', (_, text, expected) => {
  expect(stripHidden(text)).toBe(expected)
})

it.each([
  ['tabs and lines', 'a\tb\nc'],
  ['joined emoji', '👨‍👩‍👧‍👦 and ❤️'],
  ['Persian with a joiner', 'می‌خواهم'],
  ['Hindi with a joiner', 'क्‍ष'],
  ['accents and umlauts', 'naïve Größe e\u0301'],
  ['square brackets', 'see [31m] and array[0]'],
])('keeps %s', (_, text) => {
  expect(stripHidden(text)).toBe(text)
})

it('takes linear time for rows made to be slow', () => {
  const rows = [
    '字'.padEnd(300_000, '\u200d'),
    '\u001b['.padEnd(300_000, '0'),
    '\u001b]'.repeat(150_000),
    'a'.padEnd(300_000, '\ufe0f'),
  ]
  for (const row of rows) expect(stripHidden(`${row}字`).length).toBeLessThanOrEqual(300_001)
})
