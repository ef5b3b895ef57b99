import { expect, it } from 'vitest'
import { readNdjson } from './ndjson.js'

async function parse(bytes: Uint8Array, chunkSize: number): Promise<unknown[]> {
  const lines = readNdjson('Ollama')
  const values: unknown[] = []
  for (let index = 0; index < bytes.length; index += chunkSize)
    values.push(...lines.push(bytes.subarray(index, index + chunkSize)))
  return [...values, ...lines.end()]
}

const values = [{ a: 'äöü€🦊' }, { b: '\u2028line\nbreak' }, 1, { c: 'end' }]

it('does not care where chunks are cut', async () => {
  const bytes = Buffer.from(values.map((value) => JSON.stringify(value)).join('\n'))
  for (let size = 1; size <= bytes.length; size++) expect(await parse(bytes, size)).toEqual(values)
})

it('takes empty lines and CRLF', async () => {
  expect(await parse(Buffer.from('\n{"a":1}\r\n\r\n{"b":2}\n\n'), 3)).toEqual([{ a: 1 }, { b: 2 }])
})

it.each([
  ['a damaged line between good ones', '{"a":1}\n{"b":\n{"c":3}\n'],
  ['a last line that breaks off', '{"a":1}\n{"b":2'],
  ['text', 'Bad Gateway'],
])('throws on %s', async (_, text) => {
  await expect(parse(Buffer.from(text), 5)).rejects.toMatchObject({
    code: 'chat/stream-corrupt',
    retryable: true,
  })
})

it.each([
  ['a broken sequence', [0x22, 0xc3, 0x28, 0x22, 0x0a]],
  ['a sequence that breaks off', [0x22, 0x22, 0x0a, 0xe2, 0x82]],
])('throws on %s of UTF-8', async (_, bytes) => {
  await expect(parse(Uint8Array.from(bytes), 2)).rejects.toMatchObject({ code: 'chat/stream-corrupt' })
})
