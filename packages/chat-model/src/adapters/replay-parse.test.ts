import { expect, it } from 'vitest'
import { parseCassette, serializeCassette } from './replay.js'

const text = serializeCassette({
  version: 1,
  model: 'local/small',
  exchanges: [
    {
      request: {
        messages: [{ role: 'user', text: 'Hello' }],
        tools: [{ name: 'search', description: '', inputSchema: {} }],
      },
      message: {
        role: 'assistant',
        text: 'Hi',
        toolCalls: [{ id: 'call-1', name: 'search', arguments: {} }],
      },
      reason: 'tool-calls',
      usage: {},
    },
  ],
})

/** The text after a change to its parsed form. */
function broken(change: (stored: ReturnType<typeof JSON.parse>) => void): string {
  const stored = JSON.parse(text)
  change(stored)
  return JSON.stringify(stored)
}

const [user = '', answer = ''] = Object.keys(JSON.parse(text).messages)

it.each([
  ['version', broken((stored) => (stored.version = 2)), 'is 2; this release reads version 1'],
  ['model', broken((stored) => (stored.model = 5)), 'is no text'],
  ['exchanges', broken((stored) => (stored.exchanges = {})), 'is no list'],
  [
    'exchanges[0].request.messages[1]',
    broken((stored) => stored.exchanges[0].request.messages.push('gone')),
    'is "gone"',
  ],
  [
    'exchanges[0].message',
    broken((stored) => (stored.exchanges[0].message = user)),
    'which is no assistant message',
  ],
  ['exchanges[0].reason', broken((stored) => (stored.exchanges[0].reason = 'bored')), 'is "bored"'],
  ['exchanges[0].usage', broken((stored) => delete stored.exchanges[0].usage), 'is no object'],
  [
    'exchanges[0].request.tools',
    broken((stored) => (stored.exchanges[0].request.tools = 'gone')),
    'is "gone"',
  ],
  [`messages.${user}.text`, broken((stored) => delete stored.messages[user].text), 'is no text'],
  [`messages.${user}.role`, broken((stored) => (stored.messages[user].role = 'clown')), 'is "clown"'],
  ['contextWindow', broken((stored) => (stored.contextWindow = 0)), 'is no number of tokens'],
  [
    'exchanges[0].usage.inputTokens',
    broken((stored) => (stored.exchanges[0].usage.inputTokens = '7')),
    'is no number from 0',
  ],
  [
    `messages.${answer}.reasoning`,
    broken((stored) => (stored.messages[answer].reasoning = ['a'])),
    'is no text',
  ],
  [
    'exchanges[0].message',
    broken((stored) => (stored.exchanges[0].message = [answer])),
    'which is no assistant',
  ],
  ['the file', '[]', 'is no object'],
  ['line 2', `${text.slice(0, text.indexOf('"messages"'))}oops`, 'is not JSON'],
])('names the place: %s', (place, content, fault) => {
  let error: unknown
  try {
    parseCassette(content, { path: 'run.cassette.json' })
  } catch (caught) {
    error = caught
  }
  expect(error).toMatchObject({ code: 'chat/bad-cassette', details: { place } })
  expect(String(error)).toContain('run.cassette.json')
  expect(String(error)).toContain(fault)
})

it('reads back what it wrote', () => {
  expect(serializeCassette(parseCassette(text))).toBe(text)
})
