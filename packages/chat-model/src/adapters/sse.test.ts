import { expect, it } from 'vitest'
import { createLineReader } from './line-reader.js'
import { createSseReader, type SseItem } from './sse.js'

function parse(text: string, chunkSize = 7): SseItem[] {
  const bytes = Buffer.from(text)
  const lines = createLineReader('The server')
  const sse = createSseReader('The server')
  const items: (SseItem | undefined)[] = []
  for (let index = 0; index < bytes.length; index += chunkSize)
    items.push(...lines.push(bytes.subarray(index, index + chunkSize)).map(sse.push))
  items.push(...lines.end().map(sse.push), sse.end())
  return items.filter((item) => item !== undefined)
}

const chunk = (value: unknown) => ({ kind: 'chunk', value })

it('does not care where chunks are cut, nor how lines end', () => {
  const values = [{ a: 'äöü€🦊' }, { b: '\u2028line\nbreak: data: ' }]
  for (const end of ['\n', '\r\n']) {
    const text = `${values.map((value) => `data: ${JSON.stringify(value)}${end}${end}`).join('')}data: [DONE]${end}${end}`
    for (let size = 1; size <= 40; size++)
      expect(parse(text, size)).toEqual([...values.map(chunk), { kind: 'done' }])
  }
})

it('ignores pings, empty events, event names and ids', () => {
  const text = ': ping\n\n:\n\ndata:\n\nevent: message\nid: 7\nretry: 10\ndata:{"a":1}\n\n\n'
  expect(parse(text)).toEqual([chunk({ a: 1 })])
})

it('joins the data lines of one event', () => {
  expect(parse('data: {"a":\ndata: 1}\n\n')).toEqual([chunk({ a: 1 })])
})

it('takes an event whose blank line is missing at the end', () => {
  expect(parse('data: {"a":1}\n\ndata: [DONE]')).toEqual([chunk({ a: 1 }), { kind: 'done' }])
})

it('reads the field of errors that older builds of llama-server write', () => {
  expect(parse('error: {"code":400,"message":"no"}\n\ndata: [DONE]\n\n')).toEqual([
    chunk({ error: { code: 400, message: 'no' } }),
    { kind: 'done' },
  ])
  expect(parse('error: no\n\n')).toEqual([chunk({ error: 'no' })])
})

it.each([
  ['damaged data', 'data: {"a":1}\n\ndata: {"b":\n\ndata: {"c":1}\n\n'],
  ['data that breaks off', 'data: {"a":1}\n\ndata: {"b'],
])('throws on %s', (_, text) => {
  expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'chat/stream-corrupt', retryable: true }))
})
