import { expect, it } from 'vitest'
import { decodeText } from './decode-text.js'

const polish = 'Zażółć gęślą jaźń'
// "Zażółć" in ISO-8859-2.
const latin2 = Uint8Array.from([0x5a, 0x61, 0xbf, 0xf3, 0xb3, 0xe6])
const bytes = (text: string) => new TextEncoder().encode(text)
const joined = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]))

it('takes the encoding from the header', () => {
  expect(decodeText(latin2, { charset: 'ISO-8859-2' })).toBe('Zażółć')
})

it('takes the encoding from a meta element of HTML, in both spellings', () => {
  expect(decodeText(joined(bytes('<meta charset="iso-8859-2">'), latin2), { html: true })).toContain('Zażółć')
  const old = '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">'
  expect(decodeText(joined(bytes(old), latin2), { html: true })).toContain('Zażółć')
})

it('reads a meta element only of HTML', () => {
  expect(decodeText(joined(bytes('<meta charset="iso-8859-2">'), bytes(polish)))).toContain(polish)
})

it('lets a byte order mark win over the header, and removes it', () => {
  expect(decodeText(joined(Uint8Array.of(0xef, 0xbb, 0xbf), bytes(polish)), { charset: 'iso-8859-2' })).toBe(
    polish,
  )
  expect(decodeText(Uint8Array.of(0xff, 0xfe, 0x41, 0, 0x42, 0))).toBe('AB')
  expect(decodeText(Uint8Array.of(0xfe, 0xff, 0, 0x41, 0, 0x42))).toBe('AB')
})

it('reads UTF-8 by default, and windows-1252 where that is not valid', () => {
  expect(decodeText(bytes(polish))).toBe(polish)
  expect(decodeText(Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x20, 0x80))).toBe('café €')
})

it('ignores an unknown encoding', () => {
  expect(decodeText(bytes(polish), { charset: 'x-nonsense' })).toBe(polish)
})

it('drops a character that was cut off at the end', () => {
  const cut = bytes('naïve ż').subarray(0, -1)
  expect(decodeText(cut)).toBe('naïve ')
  expect(decodeText(cut, { charset: 'utf-8' })).toBe('naïve ')
})

it('does not believe a page that declares UTF-16 in ASCII letters', () => {
  expect(decodeText(bytes(`<meta charset="utf-16">${polish}`), { html: true })).toContain(polish)
})
