import { expect, it } from 'vitest'
import type { Message } from '../types.js'
import type { Exchange, RecordedRequest } from './replay.js'
import { replayMiss } from './replay-miss.js'

const system: Message = { role: 'system', text: 'Answer in one word.' }
const question: Message = {
  role: 'user',
  text: `${'Read all of this first. '.repeat(20)}What colour is green tea?`,
}

function cassette(...requests: RecordedRequest[]) {
  const exchanges = requests.map((request): Exchange => {
    return { request, message: { role: 'assistant', text: 'Green.' }, reason: 'stop', usage: {} }
  })
  return { version: 1, model: 'local/small', exchanges } as const
}

it('names the nearest request and the first text that differs, with what stands around it', () => {
  const tape = cassette(
    { messages: [{ role: 'system', text: 'Something else.' }] },
    { messages: [system, question] },
    { messages: [system, { role: 'user', text: 'Read nothing.' }] },
  )
  const asked: Message = { role: 'user', text: question.text.replace('green', 'black') }
  const error = replayMiss(tape, { messages: [system, asked] })
  expect(error.code).toBe('chat/replay-miss')
  expect(error.message).toContain('exchange 2 of 3')
  expect(error.message).toContain('message 2 differs: at character 496 it says')
  expect(error.message).toContain('green tea?"')
  expect(error.message).toContain('black tea?"')
  expect(error.message.length).toBeLessThan(600)
  expect(error.details).toMatchObject({ nearest: 1 })
})

it('says when only the number of messages, a role or a setting differs', () => {
  const tape = cassette({ messages: [system, question], temperature: 0.1 })
  expect(replayMiss(tape, { messages: [system], temperature: 0.1 }).why).toContain(
    'it has 2 messages, this one 1; message 2 is only recorded: user says "Read all of this',
  )
  expect(replayMiss(tape, { messages: [system, question], temperature: 0.5 }).why).toContain(
    'all 2 messages are equal, but temperature was "0.1" and is "0.5"',
  )
  expect(replayMiss(tape, { messages: [system, question] }).why).toContain(
    'temperature was "0.1" and is not set',
  )
  const other: Message = { role: 'assistant', text: question.text }
  expect(replayMiss(tape, { messages: [system, other] }).why).toContain(
    'it is from user, here from assistant',
  )
})

it('names the field of a message that differs though its text is equal', () => {
  const call = (query: string) => ({ id: 'call-1', name: 'search', arguments: { query } })
  const says = (query: string): Message => ({ role: 'assistant', text: '', toolCalls: [call(query)] })
  const result = (toolName: string): Message => ({
    role: 'tool',
    toolCallId: 'call-1',
    toolName,
    text: 'hit',
  })
  const tape = cassette({ messages: [says('green tea'), result('search')] })
  expect(replayMiss(tape, { messages: [says('black tea'), result('search')] }).why).toMatch(
    /message 1 differs: both say "", but toolCalls was ….*green tea.* and is ….*black tea/,
  )
  expect(replayMiss(tape, { messages: [says('green tea'), result('find')] }).why).toContain(
    'message 2 differs: both say "hit", but toolName was "\\"search\\"" and is "\\"find\\""',
  )
})

it('shows long settings from where they differ', () => {
  const tool = (name: string, type: string) => ({
    name,
    description: 'A long description of what this tool is good for.',
    inputSchema: { type: 'object', properties: { query: { type } } },
  })
  const tape = cassette({ messages: [system], tools: [tool('search', 'string'), tool('read', 'string')] })
  const asked = { messages: [system], tools: [tool('search', 'string'), tool('read', 'number')] }
  expect(replayMiss(tape, asked).why).toMatch(/but tools was ….*string.* and is ….*number/)
})

it('says when the cassette is empty', () => {
  const error = replayMiss(cassette(), { messages: [system] })
  expect(error.why).toBe('The cassette is empty.')
})
