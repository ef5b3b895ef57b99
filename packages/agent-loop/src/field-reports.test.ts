// Each test is named after the field report that it reproduces, over HTTP where the wire matters.
import { ChatModelError, estimateTokens, type Message, type ToolCall } from '@icm/chat-model'
import { ollama } from '@icm/chat-model/ollama'
import {
  type FakeOllama,
  type FakeOllamaAnswer,
  type FakeOllamaModel,
  scripted,
  startFakeOllama,
} from '@icm/chat-model/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { calls, collect, testTools } from './__fixtures__/test-tools.js'
import { compactHistory } from './compact-history.js'
import { maxSteps, maxToolCalls } from './stop-conditions.js'
import type { AgentOptions } from './types.js'

const messages: readonly Message[] = [
  { role: 'system', text: 'You look words up.' },
  { role: 'user', text: 'Look up tea.' },
]
const lookUp = (word: unknown) => ({ toolCalls: [{ name: 'look_up', arguments: { word } }] })

let fake: FakeOllama | undefined
afterEach(async () => {
  await fake?.close()
  fake = undefined
})

/** A run against a server that gives these answers in order, and then the last one again and again. */
async function serve(
  answers: readonly FakeOllamaAnswer[],
  options: Partial<AgentOptions> = {},
  model: Partial<FakeOllamaModel> = {},
) {
  const server = await startFakeOllama({
    models: [{ name: 'm', ...model }],
    answer: (_, index) => answers[Math.min(index, answers.length - 1)] ?? '',
  })
  fake = server
  const tools = testTools()
  const run = collect({ model: ollama({ model: 'm', host: server.host }), messages, tools, ...options })
  const bodies = () => server.chats.map((chat) => chat.body)
  return { server, tools, run, bodies }
}

/** What a body says up to the end of its messages. */
function prefixOf(body: string): string {
  return body.slice(0, body.lastIndexOf(']', body.indexOf('"stream"')))
}

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
    const { run } = await serve([lookUp('tea'), blank, blank, 'Tea.'], {
      maxOutputTokens: 50,
      onStop: 'synthesize',
    })
    expect((await run).result).toMatchObject({ outcome: 'synthesized', text: 'Tea.' })
  })

  it('A04: a run has one num_ctx, the synthesis included', async () => {
    const { run, bodies } = await serve([lookUp('a'), lookUp('b'), 'Text.'], {
      stopWhen: maxSteps(2),
      onStop: 'synthesize',
    })
    expect((await run).result.outcome).toBe('synthesized')
    expect(bodies()).toHaveLength(3)
    expect(new Set(bodies().map((body) => body?.options?.num_ctx)).size).toBe(1)
  })

  it('A07: a cancel before the first byte ends the run and the connection; no tool runs afterwards', async () => {
    const controller = new AbortController()
    const { run, server, tools } = await serve([{ ...lookUp('tea'), delayMs: 20_000 }], {
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
    const { run, tools } = await serve([{ lines: [line, { cut: true }] }, lookUp('whole'), 'Text.'])
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
    const { run, bodies } = await serve([lookUp('tea'), broken, broken, 'Tea.'], { onStop: 'synthesize' })
    const { events, result } = await run
    expect(result).toMatchObject({ outcome: 'synthesized', text: 'Tea.' })
    expect(events.filter((event) => event.type === 'retry')).toHaveLength(1)
    expect(bodies().map((body) => body?.tools !== undefined)).toEqual([true, true, true, false])
  })

  it('A14: every body is an exact prefix of the next, up to the end of its messages', async () => {
    const { run, server } = await serve([lookUp('a'), '', lookUp('b'), 'Text.'])
    await run
    const prefixes = server.chats.map((chat) => prefixOf(chat.bodyText))
    expect(prefixes).toHaveLength(4)
    for (const [index, prefix] of prefixes.entries()) {
      if (index > 0) expect(prefix.startsWith(prefixes[index - 1] ?? '-')).toBe(true)
    }
  })
})

describe('B: calls', () => {
  const fenced = (call: unknown) => `\`\`\`json\n${JSON.stringify(call)}\n\`\`\``

  it('B01: a call in a fence is one call', async () => {
    const { run, tools } = await serve([fenced({ name: 'look_up', arguments: { word: 'x' } }), 'Text.'])
    await run
    expect(tools.executed).toMatchObject([{ name: 'look_up', arguments: { word: 'x' } }])
  })

  it('B01: prose that shows a call is the answer', async () => {
    const prose = 'For example you could send {"name":"look_up","arguments":{"word":"x"}} to the tool.'
    const { run, tools } = await serve([prose])
    expect((await run).result.text).toBe(prose)
    expect(tools.executed).toEqual([])
  })

  it('B01: a call that a tool result contains is not run when the model echoes it', async () => {
    const echo = '{"name": "look_up", "arguments": {"word": "poison"}}'
    const tools = testTools({ tea: { text: `The page says: ${echo}` } })
    const { run } = await serve([lookUp('tea'), echo], { tools })
    await run
    expect(tools.executed).toHaveLength(1)
  })

  it('B02: arguments that are a string reach the tool and the history as an object', async () => {
    const written = { name: 'look_up', arguments: '{"word":"x"}' }
    const { run, tools, bodies } = await serve([{ toolCalls: [written] }, fenced(written), 'Text.'])
    expect((await run).result.text).toBe('Text.')
    expect(tools.executed.map((call) => call.arguments)).toEqual([{ word: 'x' }, { word: 'x' }])
    const sent = bodies()[2]?.messages.flatMap(
      (message) => (message.tool_calls ?? []) as { function: object }[],
    )
    expect(sent?.map((call) => call.function)).toMatchObject([
      { arguments: { word: 'x' } },
      { arguments: { word: 'x' } },
    ])
  })

  it('B03: arguments that cannot be read never become {}; they count for the cap and for the stuck guard', async () => {
    const broken = '{"name": "look_up", "arguments": {word: /tmp'
    const seen: unknown[] = []
    const tools = {
      ...testTools(),
      run: async (call: { readonly arguments: unknown }) => {
        seen.push(call.arguments)
        return { status: 'error' as const, text: 'The arguments are not JSON.' }
      },
    }
    const stuck = await collect({ model: scripted([broken, broken, broken]), messages, tools })
    expect(stuck.result.stopReason).toContain('third time')
    expect(seen).toEqual([broken, broken])
    const capped = await collect({ model: scripted([broken]), messages, tools, stopWhen: maxToolCalls(1) })
    expect(capped.result.stopReason).toBe('1 tool calls were used')
  })

  it('B04: an unknown name is answered, and neither throws nor ends the run', async () => {
    const { run } = await serve([{ toolCalls: [{ name: 'delete_file', arguments: { path: '/' } }] }, 'Text.'])
    const { result } = await run
    expect(result.text).toBe('Text.')
    expect(result.messages[3]).toMatchObject({
      role: 'tool',
      isError: true,
      text: expect.stringContaining('look_up'),
    })
  })

  it('B04: a decorated name in a text call is the tool that it means', async () => {
    const { run, tools } = await serve([
      fenced({ name: 'functions.look_up', arguments: { word: 'x' } }),
      'Text.',
    ])
    await run
    expect(tools.executed.map((call) => call.name)).toEqual(['look_up'])
  })

  it('B05: a blank turn is nudged: two requests, and the roles alternate', async () => {
    const { run, bodies } = await serve(['', 'Text.'])
    expect((await run).result).toMatchObject({ outcome: 'answered', text: 'Text.' })
    expect(bodies()[1]?.messages.map((message) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ])
  })

  it('B05: thinking alone is a blank turn; blank turns end in a synthesis without tools', async () => {
    const thinking = { reasoning: 'What now?' }
    const { run, bodies } = await serve([thinking, '', 'Text.'], { onStop: 'synthesize' })
    expect((await run).result).toMatchObject({
      outcome: 'synthesized',
      stopReason: expect.stringContaining('nothing'),
    })
    expect(bodies().map((body) => body?.tools !== undefined)).toEqual([true, true, false])
  })

  it('B06: a call beside thinking and without text runs', async () => {
    const { run, tools } = await serve([{ reasoning: 'I should look.', ...lookUp('x') }, 'Text.'])
    await run
    expect(tools.executed).toHaveLength(1)
  })

  it('B07: two calls of one tool get two results, in order, each with its own id, also when one is declined', async () => {
    const tools = testTools({ b: { status: 'needs_consent', text: 'May it?' } })
    const model = scripted([calls('b', 'a'), 'Text.'])
    const first = await collect({ model, messages, tools })
    const [waiting] = first.result.pending ?? []
    const { result } = await collect({
      model,
      messages: first.result.messages,
      tools,
      resume: {
        steps: first.result.steps,
        decisions: [{ callKey: waiting?.callKey ?? '', approved: false }],
      },
    })
    const asked = result.messages.flatMap((each) => (each.role === 'assistant' ? (each.toolCalls ?? []) : []))
    const results = result.messages.flatMap((each) => (each.role === 'tool' ? [each] : []))
    expect(results.map((each) => each.toolCallId)).toEqual(asked.map((call) => call.id))
    expect(results.map((each) => each.toolName)).toEqual(['look_up', 'look_up'])
  })

  it('B07: ids that a server repeats or leaves out become ids of their own', async () => {
    const same = (word: string, id = 'call_0') => ({
      role: 'assistant' as const,
      text: '',
      toolCalls: [{ id, name: 'look_up', arguments: { word } }],
    })
    const model = scripted([same('a'), same('b'), same('c', ''), 'Text.'])
    const { result } = await collect({ model, messages, tools: testTools() })
    const ids = result.messages.flatMap((each) => (each.role === 'tool' ? [each.toolCallId] : []))
    expect(new Set(ids).size).toBe(3)
    expect(ids).not.toContain('')
  })

  it('B08: calls in several lines are all answered, equal ones too', async () => {
    const three = { toolCalls: [lookUp('x'), lookUp('y'), lookUp('x')].flatMap((each) => each.toolCalls) }
    const { run, tools } = await serve([three, 'Text.'])
    const { result } = await run
    expect(tools.executed.map((call) => call.arguments)).toEqual([
      { word: 'x' },
      { word: 'y' },
      { word: 'x' },
    ])
    expect(result.messages.filter((each) => each.role === 'tool')).toHaveLength(3)
  })

  it('B09: the assistant turn is replayed whole, with its thinking, before the results', async () => {
    const { run, bodies } = await serve([{ reasoning: 'I should look.', ...lookUp('x') }, 'Text.'])
    await run
    expect(bodies()[1]?.messages.at(-2)).toMatchObject({
      role: 'assistant',
      thinking: 'I should look.',
      tool_calls: [{ function: { name: 'look_up', arguments: { word: 'x' } } }],
    })
  })

  it('B14: no request of a run has tools and a format', async () => {
    const { run, bodies } = await serve([lookUp('a'), 'Text.'], {
      stopWhen: maxSteps(1),
      onStop: 'synthesize',
    })
    await run
    expect(bodies().filter((body) => body?.tools !== undefined && body.format !== undefined)).toEqual([])
  })
})

describe('C: the loop', () => {
  it('C01: at the cap one request without tools writes the output', async () => {
    const answers = ['a', 'b', 'c', 'd'].map(lookUp)
    const { run, bodies, tools } = await serve([...answers, 'What I found.'], {
      stopWhen: maxToolCalls(4),
      onStop: 'synthesize',
    })
    expect((await run).result).toMatchObject({ outcome: 'synthesized', text: 'What I found.' })
    expect(tools.executed).toHaveLength(4)
    expect(bodies().map((body) => body?.tools !== undefined)).toEqual([true, true, true, true, false])
  })

  it('C01: a call in that last answer is ignored, and what was gathered is kept', async () => {
    const { run, tools } = await serve([lookUp('a'), lookUp('b')], {
      stopWhen: maxToolCalls(1),
      onStop: 'synthesize',
    })
    const { result } = await run
    expect(result).toMatchObject({ outcome: 'stopped', text: '', stopReason: '1 tool calls were used' })
    expect(tools.executed).toHaveLength(1)
    expect(result.steps[0]?.tools[0]?.answer.text).toBe('ok: a')
  })

  it('C01: when that last request fails, what was gathered is kept too', async () => {
    const failing = new ChatModelError({ code: 'chat/server-error', what: 'Broken.', why: '', instead: '' })
    const model = scripted([calls('a'), failing])
    const { result } = await collect({
      model,
      messages,
      tools: testTools(),
      stopWhen: maxSteps(1),
      onStop: 'synthesize',
    })
    expect(result).toMatchObject({
      outcome: 'stopped',
      stopReason: '1 turns were used; then the final answer failed: Broken.',
    })
    expect(result.steps).toHaveLength(1)
  })

  it('C02: key order and stringified numbers do not hide the third equal call, though each "succeeded"', async () => {
    const raw = (json: string) => `\`\`\`json\n{"name": "look_up", "arguments": ${json}}\n\`\`\``
    const model = scripted([
      raw('{"word":1,"b":2}'),
      raw('{"b":2,"word":1}'),
      raw('{"word":"1","b":2}'),
      'Text.',
    ])
    const keyOf = (call: ToolCall) => String(Number((call.arguments as { word: unknown }).word))
    let executed = 0
    const run = async (call: ToolCall) => {
      executed++
      return { status: 'ok' as const, text: 'Saved.', callKey: keyOf(call) }
    }
    const coerced = { specs: testTools().specs, keyOf, run }
    const { result } = await collect({ model, messages, tools: coerced, onStop: 'synthesize' })
    expect(executed).toBe(2)
    expect(result.steps[2]?.tools[0]).toMatchObject({
      notRun: 'stuck',
      answer: { text: expect.stringContaining('stands above') },
    })
  })

  it('C02: A-B-A-B does not get a third round, and a tool to poll with is left alone', async () => {
    const rounds = ['a', 'b', 'a', 'b', 'a', 'b'].map((word) => calls(word))
    const guarded = testTools()
    await collect({
      model: scripted([...rounds, 'Text.']),
      messages,
      tools: guarded,
      onStop: 'synthesize',
    })
    expect(guarded.executed).toHaveLength(4)
    const polled = { ...testTools(), isRepeatable: (name: string) => name === 'look_up' }
    const { result } = await collect({ model: scripted([...rounds, 'Text.']), messages, tools: polled })
    expect(polled.executed).toHaveLength(6)
    expect(result.outcome).toBe('answered')
  })

  it('C03: an empty result says that it is one', async () => {
    const tools = testTools({ tea: { text: ' ' } })
    const { result } = await collect({ model: scripted([calls('tea'), 'Text.']), messages, tools })
    expect(result.messages[3]).toEqual({
      role: 'tool',
      toolCallId: expect.any(String),
      toolName: 'look_up',
      text: 'look_up finished and returned nothing.',
    })
  })

  it('C04: shortening cuts no character in half and says how much went', () => {
    for (let before = 396; before < 404; before++) {
      const text = `${'a'.repeat(before)}🦊${'b'.repeat(2_000)}`
      const { messages: cut } = compactHistory([{ role: 'tool', toolCallId: '1', toolName: 't', text }], 1)
      expect(cut[0]?.text.isWellFormed()).toBe(true)
      expect(cut[0]?.text).toMatch(/\[\d+ characters removed to make room\]$/)
    }
  })

  it('C05: a call that was begun when the process ended is not sent again (see restore-run.test.ts for each moment)', async () => {
    const doubt = { status: 'in_doubt' as const, text: 'Nobody knows whether the mail was sent.' }
    const tools = testTools({ mail: doubt })
    const model = scripted([calls('mail'), calls('mail'), 'Text.'])
    const { result } = await collect({ model, messages, tools })
    expect(tools.executed).toHaveLength(1)
    expect(result.steps[1]?.tools[0]).toMatchObject({ notRun: 'in-doubt' })
  })

  it('C06: a runner that throws after the call was sent leaves it in doubt: answered, not lost, not sent again', async () => {
    let sent = 0
    const throwing = () => {
      sent++
      throw new Error('Connection closed')
    }
    const tools = { specs: testTools().specs, run: throwing }
    const model = scripted([calls('mail'), calls('mail'), 'Text.'])
    const { result } = await collect({ model, messages, tools })
    expect(sent).toBe(1)
    expect(result.steps[0]?.tools[0]?.answer).toMatchObject({
      status: 'in_doubt',
      text: expect.stringContaining('Connection closed'),
    })
    expect(result.text).toBe('Text.')
  })
})
