import { expect, it } from 'vitest'
import { createStyle, printable } from './style.js'

it('colours only a terminal, and never with NO_COLOR', () => {
  expect(createStyle({ isTTY: true }, {}).red('x')).toBe('\u001b[31mx\u001b[39m')
  expect(createStyle({ isTTY: true }, { NO_COLOR: '1' }).red('x')).toBe('x')
  expect(createStyle({ isTTY: true }, { TERM: 'dumb' }).red('x')).toBe('x')
  expect(createStyle({}, {}).red('x')).toBe('x')
})

it('printable shows what could hide or move text', () => {
  expect(printable('a\u001b[2Jb')).toBe('a\\u001b[2Jb')
  expect(printable('a\u202eb\u200bc')).toBe('a\\u202eb\\u200bc')
  expect(printable('tab\tline\r\nżółć 🦊')).toBe('tab\tline\nżółć 🦊')
})
