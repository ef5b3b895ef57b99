// Each test is named after the field report that it reproduces, over HTTP where the wire matters.
import { estimateTokens, type Message } from '@icm/chat-model'
import { scripted } from '@icm/chat-model/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { closeFake, lookUpCall, prefixOf, serve } from './__fixtures__/serve.js'
import { calls, collect, messages, testTools } from './__fixtures__/test-tools.js'
import { maxSteps } from './stop-conditions.js'

afterEach(closeFake)

describe('A: context and transport', () => {
  it('A01: a history over budget keeps the task, and no result loses its call', async () => {
    const history: Message[] = [...messages]
    for (let turn = 0; turn < 19; turn++) {
      const call = { id: `old-${turn}`, name: 'look_up', arguments: { word: `w${turn}` } }
      history.push({ role: 'assistant', text: '', toolCalls: [call] })
      history.push({ role: 'tool', toolCallId: call.id, toolName: 'look_up', text: 'y'.repeat(2_500) })
    }
    const model = scripted(['Done.'], { contextWindow: 8_192 })
    const { events } = await collect({ model, messages: history, tools: testTools() })
    const sent = model.requests[0]?.messages ?? []
    expect(sent).toHaveLength(40)
    expect(sent.slice(0, 2)).toEqual(messages)
    const asked = sent.flatMap((each) => (each.role === 'assistant' ? (each.toolCalls ?? []) : []))
    const answered = sent.flatMap((each) => (each.role === 'tool' ? [each.toolCallId] : []))
    expect(answered).toEqual(asked.map((call) => call.id))
    expect(estimateTokens(sent, testTools().specs())).toBeLessThanOrEqual(8_192 - 1_024)
    expect(events.filter((event) => event.type === 'compaction')).toHaveLength(1)
  })

  it('A02: a history a few tokens over the window is shortened once, by us, and fits the budget', async () => {
    const call = { id: 'old', name: 'look_up', arguments: { word: 'w' } }
    const filler = (characters: number): Message[] => [
      ...messages,
      { role: 'assistant', text: '', toolCalls: [call] },
      { role: 'tool', toolCallId: 'old', toolName: 'look_up', text: 'y'.repeat(characters) },
    ]
    const specs = testTools().specs()
    const missing = 4_096 + 5 - estimateTokens(filler(0), specs)
    const model = scripted(['Done.'], { contextWindow: 4_096 })
    const { events } = await collect({ model, messages: filler(4 * missing), tools: testTools() })
    expect(estimateTokens(model.requests[0]?.messages ?? [], specs)).toBeLessThanOrEqual(4_096 - 1_024)
    expect(events.filter((event) => event.type === 'compaction')).toHaveLength(1)
    const roomy = scripted(['Done.'], { contextWindow: 8_192 })
    await collect({ model: roomy, messages: filler(4 * missing), tools: testTools() })
    expect(roomy.requests[0]?.messages).toEqual(filler(4 * missing))
  })

  it('A03: an answer of nothing but used-up tokens is asked for once more with twice the room, then it fails', async () => {
    const blank = { text: '', doneReason: 'length', outputTokens: 50 }
    const { run, bodies } = await serve([blank], { maxOutputTokens: 50 })
    await expect(run).rejects.toMatchObject({ code: 'chat/output-budget-exhausted' })
    expect(bodies().map((body) => body?.options?.num_predict)).toEqual([50, 100])
  })

  it('A03: after facts were gathered it ends in a synthesis', async () => {
    const blank = { text: '', doneReason: 'length', outputTokens: 50 }
    const { run } = await serve([lookUpCall('tea'), blank, blank, 'Tea.'], {
      maxOutputTokens: 50,
      onStop: 'synthesize',
    })
    expect((await run).result).toMatchObject({ outcome: 'synthesized', text: 'Tea.' })
  })

  it('A04: a run has one num_ctx, the synthesis included', async () => {
    const { run, bodies } = await serve([lookUpCall('a'), lookUpCall('b'), 'Text.'], {
      stopWhen: maxSteps(2),
      onStop: 'synthesize',
    })
    expect((await run).result.outcome).toBe('synthesized')
    expect(bodies()).toHaveLength(3)
    expect(new Set(bodies().map((body) => body?.options?.num_ctx)).size).toBe(1)
  })

  it('A07: a cancel before the first byte ends the run and the connection; no tool runs afterwards', async () => {
    const controller = new AbortController()
    const { run, server, tools } = await serve([{ ...lookUpCall('tea'), delayMs: 20_000 }], {
      signal: controller.signal,
    })
    const reason = new Error('cancelled')
    const settled = expect(run).rejects.toBe(reason)
    while (server.chats.length === 0) await new Promise((done) => setTimeout(done, 5))
    controller.abort(reason)
    await settled
    expect(await server.chats[0]?.ended).toBe('client-left')
    expect(tools.executed).toEqual([])
  })

  it('A07: a cancel in a tool that does not listen does not wait for it', async () => {
    const controller = new AbortController()
    const reason = new Error('cancelled')
    const never = () => new Promise<never>(() => setImmediate(() => controller.abort(reason)))
    const run = collect({
      model: scripted([calls('tea'), 'never asked']),
      messages,
      tools: { ...testTools(), run: never },
      signal: controller.signal,
    })
    await expect(run).rejects.toBe(reason)
  })

  it('A08: the calls of an answer that breaks off are not run; the answer is asked for once more', async () => {
    const line = {
      message: {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'look_up', arguments: { word: 'half' } } }],
      },
      done: false,
    }
    const { run, tools } = await serve([{ lines: [line, { cut: true }] }, lookUpCall('whole'), 'Text.'])
    expect((await run).result.text).toBe('Text.')
    expect(tools.executed.map((call) => call.arguments)).toEqual([{ word: 'whole' }])
  })

  it('A09: an error in the middle of a stream is answered by another request, once', async () => {
    const broken = { text: 'half an ans', error: 'error parsing tool call: invalid character' }
    const { run, server } = await serve([broken])
    await expect(run).rejects.toMatchObject({ code: 'chat/server-error' })
    const [first, second] = server.chats.map((chat) => chat.bodyText)
    expect(server.chats).toHaveLength(2)
    expect(second).not.toBe(first)
  })

  it('A09: after facts were gathered it ends in a synthesis', async () => {
    const broken = { text: 'half an ans', error: 'error parsing tool call: invalid character' }
    const { run, bodies } = await serve([lookUpCall('tea'), broken, broken, 'Tea.'], { onStop: 'synthesize' })
    const { events, result } = await run
    expect(result).toMatchObject({ outcome: 'synthesized', text: 'Tea.' })
    expect(events.filter((event) => event.type === 'retry')).toHaveLength(1)
    expect(bodies().map((body) => body?.tools !== undefined)).toEqual([true, true, true, false])
  })

  it('A14: every body is an exact prefix of the next, up to the end of its messages', async () => {
    const { run, server } = await serve([lookUpCall('a'), '', lookUpCall('b'), 'Text.'])
    await run
    const prefixes = server.chats.map((chat) => prefixOf(chat.bodyText))
    expect(prefixes).toHaveLength(4)
    for (const [index, prefix] of prefixes.entries()) {
      if (index > 0) expect(prefix.startsWith(prefixes[index - 1] ?? '-')).toBe(true)
    }
  })
})
