import { ChatModelError } from '@icm/chat-model'
import { scripted } from '@icm/chat-model/testing'
import { describe, expect, it } from 'vitest'
import { calls, collect, messages, testTools, typesOf } from './__fixtures__/test-tools.js'
import { runAgent } from './run-agent.js'
import { streamAgent } from './stream-agent.js'
import type { AgentEvent } from './types.js'

describe('a run that ends by itself', () => {
  it('sends its events in this order, and every request is a prefix of the next', async () => {
    const model = scripted([calls('tea'), 'Tea is a drink.'])
    const { events, result } = await collect({ model, messages, tools: testTools() })
    expect(typesOf(events)).toEqual([
      'run-start',
      'step-start',
      'message-end',
      'tool-start',
      'tool-end',
      'step-end',
      'step-start',
      'message-end',
      'step-end',
      'run-end',
    ])
    expect(result).toMatchObject({ outcome: 'answered', text: 'Tea is a drink.', truncated: false })
    const [first, second] = model.requests.map((request) => request.messages)
    expect(second?.slice(0, first?.length)).toEqual(first)
    expect(second?.at(-1)).toEqual({
      role: 'tool',
      toolCallId: expect.any(String),
      toolName: 'look_up',
      text: 'ok: tea',
    })
  })

  it('adds nothing to an agent that has its own prompt', async () => {
    const model = scripted(['Hello.'])
    await collect({ model, messages: [{ role: 'user', text: 'Hi' }] })
    expect(model.requests[0]).toEqual({ messages: [{ role: 'user', text: 'Hi' }] })
  })

  it('yields plain JSON, with run-end carrying the result that the generator returns', async () => {
    const stream = streamAgent({ model: scripted([calls('tea'), 'Done.']), messages, tools: testTools() })
    let last: AgentEvent | undefined
    for (;;) {
      const next = await stream.next()
      if (next.done) {
        expect(last).toEqual({ type: 'run-end', result: next.value })
        break
      }
      expect(JSON.parse(JSON.stringify(next.value))).toEqual(next.value)
      last = next.value
    }
  })

  it('awaits onEvent before it goes on: the message is written before its tool runs', async () => {
    const order: string[] = []
    const tools = testTools()
    await runAgent({
      model: scripted([calls('tea'), 'Done.']),
      messages,
      tools: {
        ...tools,
        run: (call, options) => {
          order.push('run')
          return tools.run(call, options)
        },
      },
      onEvent: async (event) => {
        await new Promise((done) => setTimeout(done, 2))
        if (event.type === 'message-end' || event.type === 'tool-start') order.push(event.type)
      },
    })
    expect(order).toEqual(['message-end', 'tool-start', 'run', 'message-end'])
  })

  it('cuts an answer that repeats one line, and says so', async () => {
    const model = scripted([`# Notes\n${'- the same long line of words\n'.repeat(50)}`])
    const { events, result } = await collect({ model, messages })
    expect(result).toMatchObject({ text: '# Notes\n- the same long line of words', truncated: true })
    expect(events.find((event) => event.type === 'repetition')).toMatchObject({ step: 1 })
  })

  it('says when the answer was cut by a token limit', async () => {
    const { result } = await collect({ model: scripted(['Half a sen'], { reason: 'length' }), messages })
    expect(result).toMatchObject({ outcome: 'answered', truncated: true })
  })
})

describe('consent, failures and aborts', () => {
  it('suspends when a call needs consent; its neighbours are answered, it is not', async () => {
    const tools = testTools({ danger: { status: 'needs_consent', text: 'May 12 files be renamed?' } })
    const { result } = await collect({
      model: scripted([calls('tea', 'danger')]),
      messages,
      tools,
      onStop: 'synthesize',
    })
    expect(result).toMatchObject({
      outcome: 'suspended',
      pending: [{ call: { arguments: { word: 'danger' } }, text: 'May 12 files be renamed?' }],
    })
    expect(result.messages.filter((message) => message.role === 'tool')).toHaveLength(1)
  })

  it('throws an infrastructure failure and sends no terminal event', async () => {
    const down = new ChatModelError({ code: 'chat/unreachable', what: 'No answer.', why: '', instead: '' })
    const events: AgentEvent[] = []
    const run = runAgent({ model: scripted([down]), messages, onEvent: (event) => void events.push(event) })
    await expect(run).rejects.toBe(down)
    expect(typesOf(events)).toEqual(['run-start', 'step-start'])
  })

  it('after gathering, an overflow ends in a synthesis over shortened results', async () => {
    const overflow = new ChatModelError({
      code: 'chat/context-overflow',
      what: 'Too long.',
      why: '',
      instead: '',
    })
    const tools = testTools({ a: { text: 'y'.repeat(9_000) } })
    const model = scripted([calls('a'), overflow, 'Text.'], { contextWindow: 8_192 })
    const { events, result } = await collect({ model, messages, tools, onStop: 'synthesize' })
    expect(result).toMatchObject({ outcome: 'synthesized', text: 'Text.' })
    expect(events.find((event) => event.type === 'compaction')).toMatchObject({ shortenedResults: 1 })
  })

  it('closes the stream of the model when the consumer leaves', async () => {
    let closed = false
    const endless = {
      id: 'endless',
      async *stream() {
        try {
          for (;;) yield { type: 'text-delta' as const, text: 'word ' }
        } finally {
          closed = true
        }
      },
    }
    for await (const event of streamAgent({ model: endless, messages })) if (event.type === 'model') break
    expect(closed).toBe(true)
  })

  it('after gathering, a failing server ends in a synthesis; at the first answer it throws', async () => {
    const failing = new ChatModelError({ code: 'chat/server-error', what: 'Broken.', why: '', instead: '' })
    const model = scripted([calls('a'), failing, 'Text.'])
    const { result } = await collect({ model, messages, tools: testTools(), onStop: 'synthesize' })
    expect(result).toMatchObject({
      outcome: 'synthesized',
      stopReason: expect.stringContaining('server failed'),
    })
    const first = collect({ model: scripted([failing]), messages, tools: testTools(), onStop: 'synthesize' })
    await expect(first).rejects.toBe(failing)
  })

  it('rethrows the reason of an abort untouched, in a tool as in an answer', async () => {
    const reason = new Error('enough')
    const controller = new AbortController()
    const tools = testTools()
    const aborting = {
      ...tools,
      run: (...given: Parameters<typeof tools.run>) => {
        controller.abort(reason)
        return tools.run(...given)
      },
    }
    const inTool = runAgent({
      model: scripted([calls('a'), 'x']),
      messages,
      tools: aborting,
      signal: controller.signal,
    })
    await expect(inTool).rejects.toBe(reason)
    const before = runAgent({ model: scripted(['x']), messages, signal: AbortSignal.abort(reason) })
    await expect(before).rejects.toBe(reason)
  })
})
