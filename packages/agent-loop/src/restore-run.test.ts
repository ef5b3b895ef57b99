import type { Message } from '@icm/chat-model'
import { scripted } from '@icm/chat-model/testing'
import { describe, expect, it } from 'vitest'
import { calls, collect, testTools } from './__fixtures__/test-tools.js'
import { restoreRun } from './restore-run.js'
import { maxSteps } from './stop-conditions.js'
import type { AgentEvent } from './types.js'

const messages: readonly Message[] = [
  { role: 'system', text: 'You look words up.' },
  { role: 'user', text: 'Look up tea.' },
]

/** The answers by how many results there are, so that a resumed run says what the whole one would have said. */
function model() {
  return scripted(
    Array.from({ length: 20 }, () => ({ messages: history }: { readonly messages: readonly Message[] }) => {
      const results = history.filter((message) => message.role === 'tool').length
      if (results === 0) return calls('a', 'b')
      if (results === 2) return calls('c')
      return history.some((message) => message.role === 'user' && message.text.startsWith('Your last'))
        ? 'Text.'
        : ''
    }),
  )
}

async function wholeRun() {
  const tools = testTools()
  const { events, result } = await collect({ model: model(), messages, tools })
  expect(result.text).toBe('Text.')
  expect(tools.executed).toHaveLength(3)
  return { events: JSON.parse(JSON.stringify(events)) as AgentEvent[], result }
}

describe('a run whose process ended', () => {
  it('goes on from every point of its journal: no finished call again, the same end', async () => {
    const { events, result } = await wholeRun()
    for (let kept = 0; kept <= events.length; kept++) {
      const journal = events.slice(0, kept).filter((event) => event.type !== 'model')
      const done = journal.flatMap((event) => (event.type === 'tool-end' ? [event.call.arguments] : []))
      const begun = journal.filter((event) => event.type === 'tool-start').length
      const restored = restoreRun(messages, journal)
      const tools = testTools()
      const second = await collect({ model: model(), tools, ...restored })
      expect(second.result, `after ${kept} events`).toMatchObject({ outcome: 'answered', text: 'Text.' })
      const ran = tools.executed.map((call) => call.arguments)
      for (const finished of done) expect(ran).not.toContainEqual(finished)
      expect(tools.executed, `after ${kept} events`).toHaveLength(3 - begun)
      const asked = second.result.messages.flatMap((each) =>
        each.role === 'assistant' ? (each.toolCalls ?? []).map((call) => call.id) : [],
      )
      const answered = second.result.messages.flatMap((each) =>
        each.role === 'tool' ? [each.toolCallId] : [],
      )
      expect(answered).toEqual(asked)
      if (begun === done.length) {
        expect(second.result.messages.map(({ role, text }) => ({ role, text }))).toEqual(
          result.messages.map(({ role, text }) => ({ role, text })),
        )
      }
    }
  })

  it('C05: a call that had begun is in doubt and is not sent again; one that may run again is', async () => {
    const { events } = await wholeRun()
    const journal = events.slice(0, events.findIndex((event) => event.type === 'tool-start') + 1)
    const careful = testTools()
    const first = await collect({ model: model(), tools: careful, ...restoreRun(messages, journal) })
    expect(careful.executed.map((call) => call.arguments)).toEqual([{ word: 'b' }, { word: 'c' }])
    expect(first.result.messages[3]).toMatchObject({
      role: 'tool',
      isError: true,
      text: expect.stringContaining('Nobody knows'),
    })
    const reads = testTools()
    await collect({
      model: model(),
      tools: reads,
      ...restoreRun(messages, journal, { mayRunAgain: () => true }),
    })
    expect(reads.executed.map((call) => call.arguments)).toEqual([
      { word: 'a' },
      { word: 'b' },
      { word: 'c' },
    ])
  })

  it('keeps a discarded text out of the history, and what was added after it', async () => {
    const script = scripted([calls('a'), '<tool_response>x</tool_response>', 'Text.'])
    const { events, result } = await collect({ model: script, messages, tools: testTools() })
    const end = events.findIndex((event) => event.type === 'run-end')
    expect(restoreRun(messages, events.slice(0, end)).messages).toEqual(result.messages)
    expect(restoreRun(messages, events).resume.steps).toEqual(result.steps)
  })

  it('that was writing its synthesis has not written it yet', async () => {
    const script = scripted([calls('a'), 'Text.'])
    const options = { messages, tools: testTools(), stopWhen: maxSteps(1), onStop: 'synthesize' as const }
    const { events } = await collect({ model: script, ...options })
    const before = events.slice(0, events.findIndex((event) => event.type === 'synthesis-start') + 1)
    const again = scripted(['Text.'])
    const { result } = await collect({ model: again, ...options, ...restoreRun(messages, before) })
    expect(result).toMatchObject({ outcome: 'synthesized', text: 'Text.' })
    expect(again.requests[0]?.messages.filter((message) => message.role === 'user')).toHaveLength(2)
  })
})
