// Each test is named after the field report that it reproduces, over HTTP where the wire matters.
import { ChatModelError, type ToolCall } from '@icm/chat-model'
import { scripted } from '@icm/chat-model/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { closeFake, lookUpCall, serve } from './__fixtures__/serve.js'
import { calls, collect, messages, testTools } from './__fixtures__/test-tools.js'
import { compactHistory } from './compact-history.js'
import { maxSteps, maxToolCalls } from './stop-conditions.js'

afterEach(closeFake)

describe('C: the loop', () => {
  it('C01: at the cap one request without tools writes the output', async () => {
    const answers = ['a', 'b', 'c', 'd'].map(lookUpCall)
    const { run, bodies, tools } = await serve([...answers, 'What I found.'], {
      stopWhen: maxToolCalls(4),
      onStop: 'synthesize',
    })
    expect((await run).result).toMatchObject({ outcome: 'synthesized', text: 'What I found.' })
    expect(tools.executed).toHaveLength(4)
    expect(bodies().map((body) => body?.tools !== undefined)).toEqual([true, true, true, true, false])
  })

  it('C01: a call in that last answer is ignored, and what was gathered is kept', async () => {
    const { run, tools } = await serve([lookUpCall('a'), lookUpCall('b')], {
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
