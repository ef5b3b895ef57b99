import { describe, expect, it } from 'vitest'
import { ollamaTail, readOllamaChunk, toOllamaMessage } from './ollama-messages.js'

describe('toOllamaMessage', () => {
  it('names the tool and the call of a result', () => {
    const message = {
      role: 'tool' as const,
      toolCallId: 'call-1',
      toolName: 'search',
      text: 'hit',
      isError: true,
    }
    expect(toOllamaMessage(message)).toEqual({
      role: 'tool',
      content: 'hit',
      tool_name: 'search',
      tool_call_id: 'call-1',
    })
  })

  it('replays calls with their thinking', () => {
    const toolCalls = [{ id: 'call-1', name: 'search', arguments: { q: 'x' } }]
    expect(toOllamaMessage({ role: 'assistant', text: '', reasoning: 'hm', toolCalls })).toEqual({
      role: 'assistant',
      content: '',
      thinking: 'hm',
      tool_calls: [{ id: 'call-1', function: { name: 'search', arguments: { q: 'x' } } }],
    })
  })

  it.each<[unknown, object]>([
    ['{"q":"x"}', { q: 'x' }],
    ['', {}],
    [undefined, {}],
    [null, {}],
    ['not JSON', { input: 'not JSON' }],
    [[1], { input: [1] }],
    [5, { input: 5 }],
  ])('makes an object of the arguments %j', (written, expected) => {
    const message = toOllamaMessage({
      role: 'assistant',
      text: '',
      toolCalls: [{ id: 'a', name: 'b', arguments: written }],
    })
    expect(message).toMatchObject({ tool_calls: [{ function: { arguments: expected } }] })
  })

  it('sends images as base64', () => {
    const images = [{ mimeType: 'image/png', base64: 'AAAA' }]
    expect(toOllamaMessage({ role: 'user', text: 'see', images })).toMatchObject({ images: ['AAAA'] })
    expect(toOllamaMessage({ role: 'user', text: 'see', images: [] })).toEqual({
      role: 'user',
      content: 'see',
    })
  })
})

it('the tail refuses every silent cut, and leaves out what is undefined', () => {
  const tail = ollamaTail({ keepAlive: -1, options: { num_ctx: 10, seed: undefined } })
  expect(JSON.parse(JSON.stringify(tail))).toEqual({
    stream: true,
    truncate: false,
    shift: false,
    keep_alive: -1,
    options: { num_ctx: 10 },
  })
})

describe('readOllamaChunk', () => {
  it.each([null, 1, 'x', [], {}, { message: 5, done: 'yes', tool_calls: {} }])('takes %j', (line) => {
    expect(readOllamaChunk(line)).toEqual({ text: '', reasoning: '', calls: [], done: false })
  })

  it('parses arguments that came as text', () => {
    const tool_calls = [
      { function: { name: 'a', arguments: '{"q":1}' } },
      { function: { name: 'b', arguments: '' } },
    ]
    expect(readOllamaChunk({ message: { tool_calls } }).calls).toEqual([
      { name: 'a', arguments: { q: 1 } },
      { name: 'b', arguments: {} },
    ])
  })
})
