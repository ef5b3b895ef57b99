import type { AgentStep } from '@icm/agent-loop'
import { expect, it } from 'vitest'
import { lookUpFirst } from './look-up-first.js'
import type { StageTools } from './types.js'

const spec = (name: string) => ({ name, description: name, inputSchema: { type: 'object' } })
const tools = (...names: readonly string[]): StageTools => ({
  specs: () => names.map(spec),
  addressParameters: (name) => (name.startsWith('fetch') ? ['url'] : []),
  run: async () => ({ status: 'ok', text: '', callKey: '' }),
})

function step(name: string, text: string, status: 'ok' | 'error' = 'ok'): AgentStep {
  const call = { id: '1', name, arguments: {} }
  const answer = { status, text, callKey: '' }
  return {
    step: 1,
    message: { role: 'assistant', text: '' },
    usage: {},
    tools: [{ call, answer, durationMs: 0, recovered: false }],
  }
}

const found = step('search', '1. url: file:///library/a.md')

it('wants a call, then a page that was found', () => {
  const early = lookUpFirst(tools('search', 'fetch_snippet'))
  expect(early([])).toEqual({ prompt: expect.stringContaining('Nothing has been looked up yet') })
  expect(early([found])).toEqual({
    prompt: expect.stringContaining('{"name":"fetch_snippet","arguments":{"url":"file:///library/a.md"}}'),
    tool: 'fetch_snippet',
  })
  expect(early([found, step('fetch_snippet', 'not there', 'error')])?.prompt).toContain('read none')
  expect(early([found, step('fetch_snippet', 'a page')])).toBeUndefined()
})

it('wants no page where none was found, or where no tool reads pages', () => {
  expect(lookUpFirst(tools('search', 'fetch_snippet'))([step('search', 'nothing found')])).toBeUndefined()
  expect(lookUpFirst(tools('search'))([found])).toBeUndefined()
})

it('after pages that could not be read, none of them found, wants a search', () => {
  const early = lookUpFirst(tools('fetch_snippet', 'search'))
  const madeUp = step('fetch_snippet', 'https://example.org/ was not read', 'error')
  expect(early([madeUp])).toEqual({ prompt: expect.stringContaining('call search'), tool: 'search' })
  expect(early([madeUp, step('search', 'nothing found')])).toBeUndefined()
  expect(early([madeUp, step('search', 'the server is down', 'error')])).toBeUndefined()
  expect(lookUpFirst(tools('fetch_snippet'))([madeUp])).toBeUndefined()
})
