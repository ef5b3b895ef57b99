import { ChatModelError, type Message } from '@icm/chat-model'
import { scripted } from '@icm/chat-model/testing'
import { expect, it } from 'vitest'
import { calls, testTools } from './__fixtures__/test-tools.js'
import { runAgent } from './run-agent.js'
import { streamAgent } from './stream-agent.js'

const messages: readonly Message[] = [{ role: 'user', text: 'Look up tea.' }]
const turns = () => new Promise((done) => setTimeout(done, 5))

it('nothing happens while the consumer holds an event', async () => {
  const tools = testTools()
  const model = scripted([calls('a'), 'Tea.'])
  for await (const event of streamAgent({ model, messages, tools })) {
    await turns()
    if (event.type === 'step-start') expect(model.requests).toHaveLength(event.step - 1)
    if (event.type === 'tool-start') expect(tools.executed).toHaveLength(0)
    if (event.type === 'tool-end') expect(model.requests).toHaveLength(1)
  }
  expect(model.requests).toHaveLength(2)
})

it('a consumer that leaves at a tool-start leaves the tool unrun', async () => {
  const tools = testTools()
  for await (const event of streamAgent({ model: scripted([calls('a'), 'Tea.']), messages, tools })) {
    if (event.type === 'tool-start') break
  }
  await turns()
  expect(tools.executed).toEqual([])
})

it('nothing is asked before the first event is asked for', async () => {
  const model = scripted(['Tea.'])
  const stream = streamAgent({ model, messages })
  await turns()
  expect(model.requests).toEqual([])
  await stream.return(undefined as never)
  expect(model.requests).toEqual([])
})

it('a failure of the consumer is not taken for one of the model', async () => {
  const own = new ChatModelError({
    code: 'chat/server-error',
    what: 'Its own.',
    why: '',
    instead: '',
    retryable: true,
  })
  const model = scripted([calls('a'), 'Tea.', 'Tea.'])
  const run = runAgent({
    model,
    messages,
    tools: testTools(),
    onStop: 'synthesize',
    onEvent: async (event) => {
      if (event.type === 'model' && event.step === 2) throw own
    },
  })
  await expect(run).rejects.toBe(own)
  expect(model.requests).toHaveLength(2)
})
