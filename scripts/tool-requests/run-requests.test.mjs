import * as loop from '@icm/agent-loop'
import { ollama } from '@icm/chat-model/ollama'
import { startFakeOllama } from '@icm/chat-model/testing'
import * as registry from '@icm/tool-registry'
import { afterEach, expect, it } from 'vitest'
import { formatResults, runRequest } from './run-requests.mjs'

/** @type {import('@icm/chat-model/testing').FakeOllama | undefined} */
let server
afterEach(() => server?.close())

/** @param {string} description */
const text = (description) => ({ type: 'string', description })
const request = {
  user: 'Is there a concert in Oslo?',
  expected: 'find_events',
  tools: [
    {
      name: 'find_events',
      description: 'Finds events.',
      schema: { type: 'object', properties: { city: text('Where') }, required: ['city'] },
    },
    {
      name: 'send_mail',
      description: 'Sends a mail.',
      schema: { type: 'object', properties: { to: text('To whom') }, required: ['to'] },
    },
  ],
}
/** @type {(name: string, args: object) => import('@icm/chat-model/testing').FakeOllamaReply} */
const call = (name, args) => ({ toolCalls: [{ name, arguments: args }] })
/** @type {(name: string, args: object) => string} */
const written = (name, args) => `\`\`\`json\n${JSON.stringify({ name, arguments: args })}\n\`\`\``

/** @param {import('@icm/chat-model/testing').FakeOllamaAnswer[]} answers */
async function run(...answers) {
  server = await startFakeOllama({
    models: ['m'],
    answer: (_, index) => answers[Math.min(index, answers.length - 1)] ?? '',
  })
  const model = ollama({ model: 'm', host: server.host })
  const result = await runRequest(request, { model, loop, registry })
  return { ...result, chats: server.chats }
}

it('a native call of the expected tool is right, and ends the run', async () => {
  const { chats, ...result } = await run(call('find_events', { city: 'Oslo' }))
  expect(result).toMatchObject({ how: 'native', executed: 'find_events', failed: 0, isRight: true })
  expect(chats).toHaveLength(1)
  expect(chats[0]?.body).toMatchObject({ options: { temperature: 0 } })
})

it('a call in the text counts as recovered', async () => {
  expect(await run(written('find_events', { city: 'Oslo' }))).toMatchObject({
    how: 'recovered',
    isRight: true,
  })
})

it('a wrong tool is wrong, also when the right one would come next', async () => {
  expect(await run(call('send_mail', { to: 'me' }), call('find_events', { city: 'Oslo' }))).toMatchObject({
    how: 'native',
    executed: 'send_mail',
    isRight: false,
  })
})

it('a call that is refused does not count; the one that mends it does', async () => {
  const refused = [written('find_concerts', { city: 'Oslo' }), written('find_events', {})]
  expect(await run(...refused, written('find_events', { city: 'Oslo' }))).toMatchObject({
    how: 'recovered',
    failed: 2,
    isRight: true,
  })
})

it('an answer without a call, and refusals without end, are none', async () => {
  expect(await run('There is none.')).toMatchObject({ how: 'none', executed: undefined, isRight: false })
  await server?.close()
  const endless = await run(written('find_concerts', { city: 'Oslo' }))
  expect(endless).toMatchObject({ how: 'none', isRight: false })
  expect(endless.failed).toBeGreaterThan(1)
})

it('the table has a line for each and the totals', () => {
  const one = { user: 'Is there a concert in Oslo tonight, or tomorrow?', expected: 'a', failed: 0 }
  const table = formatResults([
    { ...one, executed: 'a', how: 'native', isRight: true },
    { ...one, executed: 'b', how: 'recovered', isRight: false, failed: 2 },
    { ...one, executed: undefined, how: 'none', isRight: false },
  ])
  expect(table).toMatch(/^ 1 {2}Is there a concert in Oslo tonight, or tomo… +a += +native +0 +right$/m)
  expect(table).toMatch(/^ 2 .* b +recovered +2 +WRONG$/m)
  expect(table).toMatch(/^ 3 .* – +none +0 +WRONG$/m)
  expect(table).toContain('1 native, 1 recovered, 1 none; 1 of 3 right\n')
})
