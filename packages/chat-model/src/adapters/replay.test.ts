import { expect, it } from 'vitest'
import type { ChatEvent, ChatModel, ChatRequest, Message } from '../types.js'
import { type Exchange, parseCassette, record, replay, serializeCassette } from './replay.js'

const system: Message = { role: 'system', text: 'Answer in one word.' }
const tools = [{ name: 'search', description: 'Looks words up.', inputSchema: { type: 'object' } }]
const call = { id: 'call-1', name: 'search', arguments: { query: 'tea' } }

/** Answers every request with what `reply` makes of it. */
function model(reply: (request: ChatRequest) => readonly ChatEvent[]): ChatModel {
  return {
    id: 'local/small',
    contextWindow: 2048,
    async *stream(request) {
      for (const event of reply(request)) {
        request.signal?.throwIfAborted()
        yield event
      }
    },
  }
}

function says(text: string): readonly ChatEvent[] {
  const message = { role: 'assistant', text } as const
  return [
    { type: 'text-delta', text },
    { type: 'finish', reason: 'stop', message, usage: { inputTokens: 7, outputTokens: 2, outputMs: 40 } },
  ]
}

async function collect(stream: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

/** Records the answers to some requests and gives back the cassette after a trip through its text. */
async function recorded(source: ChatModel, requests: readonly ChatRequest[]) {
  const exchanges: Exchange[] = []
  const recorder = record(source, (exchange) => void exchanges.push(exchange))
  for (const request of requests) await collect(recorder.stream(request))
  const { id, contextWindow } = recorder
  const cassette = { version: 1, model: id, ...(contextWindow && { contextWindow }), exchanges } as const
  const text = serializeCassette(cassette)
  expect(parseCassette(text)).toEqual(cassette)
  expect(serializeCassette(parseCassette(text))).toBe(text)
  return { cassette: parseCassette(text), text }
}

it('replays reasoning, text, calls and usage of a recorded answer', async () => {
  const message = {
    role: 'assistant',
    text: 'Let me look it up.',
    reasoning: 'Tea, then.',
    toolCalls: [call],
  } as const
  const source = model(() => [
    { type: 'finish', reason: 'tool-calls', message, usage: { inputTokens: 90, loadMs: 3 } },
  ])
  const request = {
    messages: [system, { role: 'user', text: 'What is tea?' }],
    tools,
    temperature: 0.1,
  } as const
  const { cassette } = await recorded(source, [request])

  const player = replay({ cassette })
  expect(player.id).toBe('replay/local/small')
  expect(player.contextWindow).toBe(2048)
  const events = await collect(player.stream({ ...request, signal: new AbortController().signal }))
  expect(events).toEqual([
    { type: 'reasoning-delta', text: 'Tea,' },
    { type: 'reasoning-delta', text: ' then.' },
    { type: 'text-delta', text: 'Let' },
    { type: 'text-delta', text: ' me' },
    { type: 'text-delta', text: ' look' },
    { type: 'text-delta', text: ' it' },
    { type: 'text-delta', text: ' up.' },
    { type: 'tool-call', call },
    { type: 'finish', reason: 'tool-calls', message, usage: { inputTokens: 90, loadMs: 3 } },
  ])
})

it('keeps every character of the text, also white space at both ends', async () => {
  for (const text of ['', '  \n', '\n a  b\n\n', 'x\n```\n\ty \n```\n']) {
    const { cassette } = await recorded(
      model(() => says(text)),
      [{ messages: [system] }],
    )
    const events = await collect(replay({ cassette }).stream({ messages: [system] }))
    expect(events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')).toBe(text)
  }
})

it('gives a request that was recorded twice its answers in order, then from the start', async () => {
  let count = 0
  const source = model(() => says(`answer ${++count}`))
  const { cassette } = await recorded(source, [{ messages: [system] }, { messages: [system] }])
  const player = replay({ cassette })
  const texts: string[] = []
  for (let index = 0; index < 3; index++) {
    const last = (await collect(player.stream({ messages: [system] }))).at(-1)
    texts.push(last?.type === 'finish' ? last.message.text : '')
  }
  expect(texts).toEqual(['answer 1', 'answer 2', 'answer 1'])
})

it('stores a message once, however often it is part of a request', async () => {
  const long: Message = { role: 'user', text: 'Read this. '.repeat(500) }
  const messages: Message[] = [system, long]
  const requests: ChatRequest[] = []
  for (let turn = 0; turn < 20; turn++) {
    messages.push({ role: 'user', text: `Turn ${turn}` })
    requests.push({ messages: [...messages], tools })
  }
  const { text } = await recorded(
    model(() => says('Yes.')),
    requests,
  )
  expect(text.split(long.text)).toHaveLength(2)
  expect(text.split('Looks words up.')).toHaveLength(2)
  expect(text.length).toBeLessThan(long.text.length + 15_000)
  expect(
    text
      .trimEnd()
      .split('\n')
      .filter((line) => line.startsWith('{"request"')),
  ).toHaveLength(20)
})

it('records what was sent, though the caller goes on adding to its list of messages', async () => {
  const exchanges: Exchange[] = []
  const messages: Message[] = [system]
  for await (const event of record(
    model(() => says('Yes.')),
    (exchange) => void exchanges.push(exchange),
  ).stream({ messages })) {
    if (event.type === 'text-delta') messages.push({ role: 'user', text: 'later' })
  }
  expect(exchanges[0]?.request.messages).toEqual([system])
})

it('waits for onExchange before it hands over the finish event', async () => {
  const order: string[] = []
  const recorder = record(
    model(() => says('Yes.')),
    async () => {
      await new Promise((resolve) => setImmediate(resolve))
      order.push('recorded')
    },
  )
  for await (const event of recorder.stream({ messages: [system] })) order.push(event.type)
  expect(order).toEqual(['text-delta', 'recorded', 'finish'])
})

it('records no answer that was left, and none that was aborted', async () => {
  const exchanges: Exchange[] = []
  const recorder = record(
    model(() => says('Yes.')),
    (exchange) => void exchanges.push(exchange),
  )
  for await (const _ of recorder.stream({ messages: [system] })) break
  const reason = { why: 'enough' }
  const controller = new AbortController()
  const reading = (async () => {
    for await (const _ of recorder.stream({ messages: [system], signal: controller.signal }))
      controller.abort(reason)
  })()
  await expect(reading).rejects.toBe(reason)
  expect(exchanges).toEqual([])
})

it('stops at once on an abort, also while it waits between words', async () => {
  const { cassette } = await recorded(
    model(() => says('one two three')),
    [{ messages: [system] }],
  )
  const reason = new Error('stopped by hand')
  const controller = new AbortController()
  const reading = collect(
    replay({ cassette, delayMs: 60_000 }).stream({ messages: [system], signal: controller.signal }),
  )
  setImmediate(() => controller.abort(reason))
  await expect(reading).rejects.toBe(reason)
  await expect(
    collect(replay({ cassette }).stream({ messages: [system], signal: controller.signal })),
  ).rejects.toBe(reason)
})

it('asks the model of onMiss where the cassette has no answer', async () => {
  const { cassette } = await recorded(
    model(() => says('recorded')),
    [{ messages: [system] }],
  )
  const player = replay({ cassette, onMiss: model(() => says('live')) })
  const last = (await collect(player.stream({ messages: [system], temperature: 1 }))).at(-1)
  expect(last).toMatchObject({ type: 'finish', message: { text: 'live' } })
})
