import { expect, it } from 'vitest'
import { estimateTokens } from './estimate-tokens.js'

it('counts bytes, so that other scripts do not come out too cheap', () => {
  expect(estimateTokens([{ role: 'user', text: 'a'.repeat(400) }])).toBe(108)
  expect(estimateTokens([{ role: 'user', text: '你'.repeat(400) }])).toBe(308)
})

it('counts thinking, calls and tools', () => {
  const text = [{ role: 'assistant' as const, text: 'x' }]
  const calls = [
    { role: 'assistant' as const, text: 'x', toolCalls: [{ id: '1', name: 'a', arguments: { b: 1 } }] },
  ]
  const thought = [{ role: 'assistant' as const, text: 'x', reasoning: 'because of this and that' }]
  const tools = [{ name: 'a', description: 'b', inputSchema: {} }]
  const plain = estimateTokens(text)
  expect(estimateTokens(calls)).toBeGreaterThan(plain)
  expect(estimateTokens(thought)).toBe(plain + 6)
  expect(estimateTokens(text, tools)).toBeGreaterThan(plain)
  expect(estimateTokens([])).toBe(0)
})
