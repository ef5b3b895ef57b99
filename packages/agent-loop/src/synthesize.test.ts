import { scripted } from '@icm/chat-model/testing'
import { describe, expect, it } from 'vitest'
import { calls, collect, messages, testTools, typesOf } from './__fixtures__/test-tools.js'
import { maxSteps, maxToolCalls } from './stop-conditions.js'

describe('a run that is cut short', () => {
  it('ends a third identical call with a tool-free synthesis; every call has exactly one result', async () => {
    const model = scripted([calls('tea'), calls('tea'), calls('tea', 'milk'), 'What I found.'])
    const tools = testTools()
    const { events, result } = await collect({ model, messages, tools, onStop: 'synthesize' })
    expect(tools.executed).toHaveLength(2)
    expect(result).toMatchObject({
      outcome: 'synthesized',
      text: 'What I found.',
      stopReason: expect.stringContaining('third time'),
    })
    expect(typesOf(events).slice(-5)).toEqual([
      'tool-end',
      'step-end',
      'synthesis-start',
      'message-end',
      'run-end',
    ])
    expect(model.requests.at(-1)).toMatchObject({ toolChoice: 'none' })
    expect(model.requests.at(-1)?.toolChoice).toBe('none')
    const asked = result.messages.flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []) : [],
    )
    const answered = result.messages.flatMap((message) =>
      message.role === 'tool' ? [message.toolCallId] : [],
    )
    expect(answered).toEqual(asked.map((call) => call.id))
  })

  it('sees through key order', async () => {
    const written = (json: string) => `\`\`\`json\n{"name": "look_up", "arguments": ${json}}\n\`\`\``
    const first = written('{"word": "tea", "language": "en"}')
    const second = written('{"language": "en", "word": "tea"}')
    const tools = testTools()
    const model = scripted([first, second, first, 'Text.'])
    const { result } = await collect({ model, messages, tools, onStop: 'synthesize' })
    expect(tools.executed).toHaveLength(2)
    expect(result.outcome).toBe('synthesized')
  })

  it('sees through A-B-A-B, and leaves repeatable tools alone', async () => {
    const answers = [calls('a'), calls('b'), calls('a'), calls('b'), calls('a'), 'Text.']
    const guarded = testTools()
    const result = await collect({ model: scripted(answers), messages, tools: guarded, onStop: 'synthesize' })
    expect(guarded.executed).toHaveLength(4)
    expect(result.result.outcome).toBe('synthesized')
    const polled = { ...testTools(), isRepeatable: () => true }
    const free = await collect({ model: scripted(answers), messages, tools: polled, onStop: 'synthesize' })
    expect(free.result.outcome).toBe('answered')
  })

  it('stops at the cap in the middle of an answer and closes the calls that are left', async () => {
    const model = scripted([calls('a', 'b', 'c'), 'Text.'])
    const tools = testTools()
    const { result } = await collect({
      model,
      messages,
      tools,
      onStop: 'synthesize',
      stopWhen: maxToolCalls(2),
    })
    expect(tools.executed).toHaveLength(2)
    expect(result.steps[0]?.tools.map((tool) => tool.notRun)).toEqual([undefined, undefined, 'cut-short'])
    expect(result.stopReason).toBe('2 tool calls were used')
  })

  it('without synthesis returns as it stands, and says why', async () => {
    const model = scripted([calls('a'), calls('b')])
    const { result } = await collect({ model, messages, tools: testTools(), stopWhen: maxSteps(2) })
    expect(result).toMatchObject({ outcome: 'stopped', text: '', stopReason: '2 turns were used' })
    expect(model.requests).toHaveLength(2)
  })

  it('an empty or call-shaped synthesis is no output: stopped, with what was gathered kept', async () => {
    for (const last of ['', '{"name": "look_up", "arguments": {"word": "x"}}']) {
      const model = scripted([calls('a'), last])
      const { result } = await collect({
        model,
        messages,
        tools: testTools(),
        onStop: 'synthesize',
        stopWhen: maxSteps(1),
      })
      expect(result).toMatchObject({ outcome: 'stopped', text: '', stopReason: '1 turns were used' })
      expect(result.steps[0]?.tools[0]?.answer.text).toBe('ok: a')
    }
  })

  it('stops calling tools at 70 % of the window and shortens old results when the answer would not fit', async () => {
    const long = 'x'.repeat(6_000)
    const model = scripted([calls('a'), calls('b'), 'Text.'], {
      contextWindow: 4_096,
      usage: { inputTokens: 100, outputTokens: 10 },
    })
    const tools = testTools({ a: { text: long }, b: { text: long } })
    const { events, result } = await collect({ model, messages, tools, onStop: 'synthesize' })
    expect(result).toMatchObject({ outcome: 'answered' })
    const tight = scripted([calls('a'), 'Text.'], {
      contextWindow: 2_048,
      usage: { inputTokens: 100, outputTokens: 10 },
    })
    const second = await collect({ model: tight, messages, tools, onStop: 'synthesize' })
    expect(second.result).toMatchObject({
      outcome: 'synthesized',
      stopReason: expect.stringContaining('window'),
    })
    expect(second.events.some((event) => event.type === 'compaction')).toBe(true)
    expect(tight.requests.at(-1)?.messages[1]).toEqual(messages[1])
    expect(events.some((event) => event.type === 'compaction')).toBe(false)
  })
})
