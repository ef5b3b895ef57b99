import { expect, it } from 'vitest'
import { createThinkSplitter } from './think-blocks.js'

function split(text: string, chunkSize: number): { text: string; reasoning: string } {
  const splitter = createThinkSplitter()
  const result = { text: '', reasoning: '' }
  const add = (pieces: readonly { kind: 'text' | 'reasoning'; text: string }[]) => {
    for (const piece of pieces) result[piece.kind] += piece.text
  }
  for (let index = 0; index < text.length; index += chunkSize)
    add(splitter.push(text.slice(index, index + chunkSize)))
  add(splitter.end())
  return result
}

it.each([
  ['<think>a</think>B', 'B', 'a'],
  ['\n<think>\na\n</think>\n\nB', 'B', '\na\n'],
  ['<thinking>a</thinking>B', 'B', 'a'],
  ['<think>a</think><think>b</think>C', 'C', 'ab'],
  ['<think>never closed', '', 'never closed'],
  ['<think></think>B', 'B', ''],
  ['B <think>a</think>', 'B <think>a</think>', ''],
  ['<thin ice', '<thin ice', ''],
  ['<th', '<th', ''],
  ['  indented', '  indented', ''],
  ['', '', ''],
  ['<think>a</think>', '', 'a'],
  ['<think>x </thin y</think>B', 'B', 'x </thin y'],
])('%j', (given, text, reasoning) => {
  for (let size = 1; size <= Math.max(1, given.length); size++) {
    expect(split(given, size), `in chunks of ${size}`).toEqual({ text, reasoning })
  }
})

it('does not hold text back once it is clear that there is no thinking', () => {
  const splitter = createThinkSplitter()
  expect(splitter.push('Hel')).toEqual([{ kind: 'text', text: 'Hel' }])
  expect(splitter.push('lo')).toEqual([{ kind: 'text', text: 'lo' }])
})
