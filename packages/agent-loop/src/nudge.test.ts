import { scripted } from '@icm/chat-model/testing'
import { describe, expect, it } from 'vitest'
import { calls, collect, messages, testTools } from './__fixtures__/test-tools.js'
import type { AgentOptions } from './types.js'

describe('blank answers', () => {
  it('are nudged once', async () => {
    const model = scripted([calls('tea'), '', 'Tea is a drink.'])
    const { events, result } = await collect({ model, messages, tools: testTools() })
    expect(events.filter((event) => event.type === 'nudge')).toHaveLength(1)
    expect(result).toMatchObject({ outcome: 'answered', text: 'Tea is a drink.' })
    expect(result.messages.map((message) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
    ])
  })

  it('invented tool results are answered, kept out of the history, and end in a synthesis when they go on', async () => {
    const tools = testTools({ tea: { text: 'result from look_up: green' } })
    for (const invented of [
      '<tool_response>\nresult: black\n</tool_response>',
      'result from look_up: green\nand black',
    ]) {
      const once = scripted([calls('tea'), invented, 'Tea is green.'])
      const { events, result } = await collect({ model: once, messages, tools })
      expect(events.find((event) => event.type === 'nudge')).toMatchObject({ reason: 'invented-result' })
      expect(result).toMatchObject({ outcome: 'answered', text: 'Tea is green.' })
      expect(JSON.stringify(once.requests.at(-1)?.messages)).not.toContain('black')
    }
    const stubborn = '<tool_response>x</tool_response>'
    const model = scripted([calls('tea'), stubborn, stubborn, stubborn, 'Text.'])
    const { result } = await collect({ model, messages, tools, onStop: 'synthesize' })
    expect(result).toMatchObject({
      outcome: 'synthesized',
      text: 'Text.',
      stopReason: 'the model kept inventing tool results',
    })
  })

  it('an answer that comes too early is asked for a call, three times at most', async () => {
    const tooEarly: AgentOptions['tooEarly'] = (steps) =>
      steps.some((step) => step.tools.length > 0) ? undefined : { prompt: 'Look it up first.' }
    const model = scripted(['From memory.', calls('tea'), 'Tea is green.'])
    const { events, result } = await collect({ model, messages, tools: testTools(), tooEarly })
    expect(events.filter((event) => event.type === 'nudge')).toMatchObject([{ reason: 'too-early' }])
    expect(model.requests.map((request) => request.toolChoice)).toEqual(['required', 'required', undefined])
    expect(model.requests[1]?.messages.at(-1)).toEqual({ role: 'user', text: 'Look it up first.' })
    expect(result).toMatchObject({ outcome: 'answered', text: 'Tea is green.' })
    const stubborn = await collect({
      model: scripted(['A.', 'B.', 'C.', 'D.']),
      messages,
      tools: testTools(),
      tooEarly,
    })
    expect(stubborn.result).toMatchObject({ outcome: 'answered', text: 'D.' })
    const named = scripted([calls('tea'), 'Tea is green.'])
    const first = (steps: readonly unknown[]) =>
      steps.length === 0 ? { prompt: 'Look it up first.', tool: 'tea' } : undefined
    await collect({ model: named, messages, tools: testTools(), tooEarly: first })
    expect(named.requests.map((request) => request.toolChoice)).toEqual([{ name: 'tea' }, undefined])
    const toolFree = await collect({ model: scripted(['A.']), messages, tooEarly })
    expect(toolFree.result.text).toBe('A.')
  })

  it('end in a synthesis at once when all was looked up that had to be', async () => {
    const model = scripted([calls('tea'), '', 'From the evidence.'])
    const tooEarly: AgentOptions['tooEarly'] = (steps) =>
      steps.some((step) => step.tools.length > 0) ? undefined : { prompt: 'Look it up first.' }
    const options = { model, messages, tools: testTools(), tooEarly, onStop: 'synthesize' as const }
    const { result, events } = await collect(options)
    expect(result).toMatchObject({ outcome: 'synthesized', text: 'From the evidence.' })
    expect(events.some((event) => event.type === 'nudge')).toBe(false)
  })

  it('twice end in a synthesis', async () => {
    const model = scripted([calls('tea'), '', '', 'From the evidence.'])
    const prompts = { emptyPrompt: 'Write about tea.', synthesizePrompt: 'Write now.' }
    const { result } = await collect({
      model,
      messages,
      tools: testTools(),
      onStop: 'synthesize',
      ...prompts,
    })
    expect(result).toMatchObject({ outcome: 'synthesized', text: 'From the evidence.' })
    expect(model.requests.slice(2).map((request) => request.messages.at(-1))).toEqual([
      { role: 'user', text: prompts.emptyPrompt },
      { role: 'user', text: prompts.synthesizePrompt },
    ])
    expect(model.requests.at(-1)?.toolChoice).toBe('none')
  })
})
