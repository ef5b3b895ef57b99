import { expect, it } from 'vitest'
import type { Message } from '../types.js'
import { toLlamaHistory } from './llama-history.js'

const system: Message = { role: 'system', text: 'Be brief.' }
const user: Message = { role: 'user', text: 'What is tea?' }
const search = { id: 'call-1', name: 'search', arguments: { query: 'tea' } }
const fetch = { id: 'call-2', name: 'fetch', arguments: { url: 'tea.md' } }

function functionCall(call: typeof search | typeof fetch, result: string, startsNewChunk = true) {
  return { type: 'functionCall', name: call.name, params: call.arguments, result, startsNewChunk }
}

it('puts a whole tool loop into one item: text, calls with their results, the next text', () => {
  const history = toLlamaHistory([
    system,
    user,
    { role: 'assistant', text: 'I look.', toolCalls: [search, fetch] },
    { role: 'tool', toolCallId: 'call-2', toolName: 'fetch', text: 'A leaf.' },
    { role: 'tool', toolCallId: 'call-1', toolName: 'search', text: 'tea.md', isError: false },
    { role: 'assistant', text: 'Once more.', toolCalls: [{ ...search, id: 'call-3' }] },
    { role: 'tool', toolCallId: 'call-3', toolName: 'search', text: 'nothing' },
    { role: 'assistant', text: 'A drink.' },
    { role: 'user', text: 'Thanks.' },
  ])
  expect(history).toEqual([
    { type: 'system', text: 'Be brief.' },
    { type: 'user', text: 'What is tea?' },
    {
      type: 'model',
      response: [
        'I look.',
        functionCall(search, 'tea.md'),
        functionCall(fetch, 'A leaf.', false),
        'Once more.',
        functionCall(search, 'nothing'),
        'A drink.',
      ],
    },
    { type: 'user', text: 'Thanks.' },
  ])
})

it('keeps two answers apart that no tool result joins', () => {
  const history = toLlamaHistory([
    user,
    { role: 'assistant', text: 'One.' },
    { role: 'assistant', text: 'Two.' },
  ])
  expect(history.slice(1)).toEqual([
    { type: 'model', response: ['One.'] },
    { type: 'model', response: ['Two.'] },
  ])
})

it('keeps thinking apart from the answer', () => {
  const history = toLlamaHistory([user, { role: 'assistant', text: 'A drink.', reasoning: 'Leaves…' }])
  expect(history.at(-1)).toEqual({
    type: 'model',
    response: [{ type: 'segment', segmentType: 'thought', text: 'Leaves…', ended: true }, 'A drink.'],
  })
})

it('shows a result whose call is not there as text of the user', () => {
  const history = toLlamaHistory([
    user,
    { role: 'tool', toolCallId: 'gone', toolName: 'search', text: 'tea.md' },
  ])
  expect(history.at(-1)).toEqual({ type: 'user', text: 'Result of search:\ntea.md' })
})

it('gives a call without a result an empty one', () => {
  const history = toLlamaHistory([user, { role: 'assistant', text: '', toolCalls: [search] }])
  expect(history.at(-1)).toEqual({ type: 'model', response: [functionCall(search, '')] })
})

it('turns every step of a growing conversation into a beginning of the next', () => {
  const messages: Message[] = [
    system,
    user,
    { role: 'assistant', text: '', toolCalls: [search] },
    { role: 'tool', toolCallId: 'call-1', toolName: 'search', text: 'tea.md' },
    { role: 'assistant', text: '', toolCalls: [fetch] },
    { role: 'tool', toolCallId: 'call-2', toolName: 'fetch', text: 'A leaf.' },
    { role: 'assistant', text: 'A drink.' },
  ]
  const flat = (upTo: number): readonly unknown[] =>
    toLlamaHistory(messages.slice(0, upTo)).flatMap((item): readonly unknown[] =>
      item.type === 'model' ? item.response : [item],
    )
  for (const upTo of [2, 4, 6]) expect(flat(messages.length).slice(0, flat(upTo).length)).toEqual(flat(upTo))
})
