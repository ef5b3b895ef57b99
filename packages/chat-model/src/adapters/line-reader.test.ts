import { expect, it } from 'vitest'
import { createLineReader, parseJsonLine } from './line-reader.js'

function read(bytes: Uint8Array, chunkSize: number): string[] {
  const lines = createLineReader('Ollama')
  const all: string[] = []
  for (let index = 0; index < bytes.length; index += chunkSize)
    all.push(...lines.push(bytes.subarray(index, index + chunkSize)))
  return [...all, ...lines.end()]
}

it('does not care where chunks are cut', () => {
  const lines = ['{"a":"äöü€🦊"}', '', '{"b":"\u2028"}', 'end']
  const bytes = Buffer.from(lines.join('\n'))
  for (let size = 1; size <= bytes.length; size++) expect(read(bytes, size)).toEqual(lines)
})

it('takes CR LF, and a line feed at the end', () => {
  for (let size = 1; size <= 12; size++)
    expect(read(Buffer.from('\na\r\n\r\nb\n\n'), size)).toEqual(['', 'a', '', 'b', ''])
  expect(read(Buffer.from('a\r\nb\r\n'), 3)).toEqual(['a', 'b'])
  expect(read(Buffer.from(''), 1)).toEqual([])
})

it.each([
  ['a broken sequence', [0x22, 0xc3, 0x28, 0x22, 0x0a]],
  ['a sequence that breaks off', [0x22, 0x22, 0x0a, 0xe2, 0x82]],
])('A08: throws on %s of UTF-8', (_, bytes) => {
  expect(() => read(Uint8Array.from(bytes), 2)).toThrow(
    expect.objectContaining({ code: 'chat/stream-corrupt' }),
  )
})

it.each(['{"b":', 'Bad Gateway', '{"a":1}x'])('A08: throws on the line %j', (line) => {
  expect(() => parseJsonLine(line, 'Ollama')).toThrow(
    expect.objectContaining({ code: 'chat/stream-corrupt', retryable: true }),
  )
})
