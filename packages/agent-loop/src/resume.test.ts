import type { Message } from '@icm/chat-model'
import { scripted } from '@icm/chat-model/testing'
import { describe, expect, it } from 'vitest'
import { calls, collect, testTools, typesOf } from './__fixtures__/test-tools.js'
import { maxToolCalls } from './stop-conditions.js'
import type { AgentOptions, Decision, ToolAnswer, ToolRunner } from './types.js'

const messages: readonly Message[] = [{ role: 'user', text: 'Tidy up.' }]

/** Words that begin with `!` need a decision for exactly this call. */
function guarded(): ToolRunner & { readonly executed: string[] } {
  const executed: string[] = []
  return {
    executed,
    specs: testTools().specs,
    async run(call, { decision }): Promise<ToolAnswer> {
      const { word } = call.arguments as { word: string }
      const callKey = `key of ${word}`
      if (word.startsWith('!') && !(decision?.approved === true && decision.callKey === callKey))
        return { status: 'needs_consent', text: `May ${word} run?`, callKey }
      executed.push(word)
      return { status: 'ok', text: `did ${word}`, callKey }
    },
  }
}

function approve(word: string, approved = true, note?: string): Decision {
  return { callKey: `key of ${word}`, approved, ...(note === undefined ? {} : { note }) }
}

/** Runs until it is suspended, and then goes on with these decisions, after a detour through JSON. */
async function suspendAndResume(
  script: Parameters<typeof scripted>[0],
  decisions: readonly Decision[],
  options: Partial<AgentOptions> = {},
) {
  const tools = guarded()
  const model = scripted(script)
  const first = await collect({ model, messages, tools, ...options })
  expect(first.result.outcome).toBe('suspended')
  const saved = JSON.parse(JSON.stringify(first.result)) as typeof first.result
  const resume = { steps: saved.steps, decisions }
  const second = await collect({ model, messages: saved.messages, tools, ...options, resume })
  return { tools, model, first, second }
}

describe('a suspended run', () => {
  it('names every call that waits, with what the person has to know', async () => {
    const { result } = await collect({
      model: scripted([calls('!a', 'b', '!c')]),
      messages,
      tools: guarded(),
    })
    expect(result.pending).toMatchObject([
      { call: { arguments: { word: '!a' } }, callKey: 'key of !a', text: 'May !a run?' },
      { call: { arguments: { word: '!c' } }, callKey: 'key of !c', text: 'May !c run?' },
    ])
    expect(result.stopReason).toBe("look_up, look_up needs a person's consent")
  })

  it('goes on without asking the model again, and runs nothing twice (D01)', async () => {
    const { tools, model, second } = await suspendAndResume([calls('a', '!b'), 'Done.'], [approve('!b')])
    expect(tools.executed).toEqual(['a', '!b'])
    expect(model.requests).toHaveLength(2)
    expect(typesOf(second.events)).toEqual([
      'run-start',
      'tool-start',
      'tool-end',
      'step-end',
      'step-start',
      'message-end',
      'step-end',
      'run-end',
    ])
    expect(second.result).toMatchObject({ outcome: 'answered', text: 'Done.' })
    expect(second.result.steps.map(({ step }) => step)).toEqual([1, 2])
  })

  it('takes each call by its own decision; results stand in the order of the calls (D03)', async () => {
    const { tools, second } = await suspendAndResume(
      [calls('!a', '!b', 'x', '!c'), 'Done.'],
      [approve('!c'), approve('!b', false, 'not that one'), approve('!a')],
    )
    expect(tools.executed).toEqual(['x', '!a', '!c'])
    const results = second.result.messages.flatMap((each) => (each.role === 'tool' ? [each.text] : []))
    expect(results).toEqual(['did !a', expect.stringContaining('not that one'), 'did x', 'did !c'])
    expect(second.result.steps[0]?.tools.map((tool) => tool.notRun)).toEqual([
      undefined,
      'declined',
      undefined,
      undefined,
    ])
  })

  it('uses a decision once, and asks again for a call that has none (D02)', async () => {
    const { tools, second } = await suspendAndResume([calls('!a', '!a')], [approve('!a')])
    expect(tools.executed).toEqual(['!a'])
    expect(second.result).toMatchObject({ outcome: 'suspended', pending: [{ callKey: 'key of !a' }] })
    const stale = await suspendAndResume([calls('!a')], [approve('!other')])
    expect(stale.tools.executed).toEqual([])
    expect(stale.second.result.outcome).toBe('suspended')
  })

  it('never runs a declined call, even with a runner that does not look at decisions', async () => {
    let asked = 0
    const careless: ToolRunner = {
      specs: testTools().specs,
      run: async () =>
        asked++ === 0 ? { status: 'needs_consent', text: '?' } : { status: 'ok', text: 'ran' },
    }
    const model = scripted([calls('a'), 'Done.'])
    const { result } = await collect({ model, messages, tools: careless })
    const decisions = [{ callKey: result.pending?.[0]?.callKey ?? '', approved: false }]
    await collect({
      model,
      messages: result.messages,
      tools: careless,
      resume: { steps: result.steps, decisions },
    })
    expect(asked).toBe(1)
  })

  it('counts its caps and its equal calls on from before', async () => {
    const script = [calls('a'), calls('!b'), calls('c'), 'never']
    const { second } = await suspendAndResume(script, [approve('!b')], { stopWhen: maxToolCalls(3) })
    expect(second.result).toMatchObject({ outcome: 'stopped', stopReason: '3 tool calls were used' })
    const equal = await suspendAndResume(
      [calls('a'), calls('a', '!b'), calls('a'), calls('a'), calls('a')],
      [approve('!b')],
    )
    expect(equal.tools.executed.filter((word) => word === 'a')).toHaveLength(4)
    expect(equal.second.result.stopReason).toContain('third time')
  })

  it('sums up the tokens of both parts', async () => {
    const { first, second } = await suspendAndResume([calls('!a'), 'One two.'], [approve('!a')])
    expect(second.result.usage.inputTokens).toBe(first.result.usage.inputTokens + 3)
    expect(second.result.usage.outputTokens).toBe(2)
  })

  it('whose answer was there already ends with it, unasked', async () => {
    const done = await collect({ model: scripted(['Done.']), messages })
    const model = scripted([])
    const resume = { steps: done.result.steps, decisions: [] }
    const { result } = await collect({ model, messages: done.result.messages, resume })
    expect(result).toMatchObject({ outcome: 'answered', text: 'Done.' })
  })
})
