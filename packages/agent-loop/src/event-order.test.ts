import { ChatModelError, type Message } from '@icm/chat-model'
import { scripted } from '@icm/chat-model/testing'
import { expect, it } from 'vitest'
import { calls, collect, testTools, typesOf } from './__fixtures__/test-tools.js'
import { runAgent } from './run-agent.js'
import { maxSteps } from './stop-conditions.js'
import type { AgentEvent, AgentOptions } from './types.js'

const messages: readonly Message[] = [{ role: 'user', text: 'Look up tea.' }]
const serverError = new ChatModelError({
  code: 'chat/server-error',
  what: 'Broken.',
  why: '',
  instead: '',
  retryable: true,
})
const long = 'x'.repeat(6_000)

const textStep = ['step-start', 'message-end', 'step-end']
const callStep = ['step-start', 'message-end', 'tool-start', 'tool-end', 'step-end']

it.each<[string, Pick<AgentOptions, 'model'> & Partial<AgentOptions>, string[], string]>([
  ['an answer', { model: scripted(['Tea.']) }, textStep, 'answered'],
  ['a call and an answer', { model: scripted([calls('a'), 'Tea.']) }, [...callStep, ...textStep], 'answered'],
  [
    'two calls in one answer, one after the other',
    { model: scripted([calls('a', 'b'), 'Tea.']) },
    [
      'step-start',
      'message-end',
      'tool-start',
      'tool-end',
      'tool-start',
      'tool-end',
      'step-end',
      ...textStep,
    ],
    'answered',
  ],
  [
    'a call that is not run: it ends without having started',
    { model: scripted([calls('a'), calls('a'), calls('a')]) },
    [...callStep, ...callStep, 'step-start', 'message-end', 'tool-end', 'step-end'],
    'stopped',
  ],
  ['a blank answer', { model: scripted(['', 'Tea.']) }, [...textStep, 'nudge', ...textStep], 'answered'],
  [
    'an answer that failed',
    { model: scripted([serverError, 'Tea.']) },
    ['step-start', 'retry', 'message-end', 'step-end'],
    'answered',
  ],
  ['a run that is cut short', { model: scripted([calls('a')]), stopWhen: maxSteps(1) }, callStep, 'stopped'],
  [
    'a synthesis',
    { model: scripted([calls('a'), 'Tea.']), stopWhen: maxSteps(1), onStop: 'synthesize' },
    [...callStep, 'synthesis-start', 'message-end'],
    'synthesized',
  ],
  [
    'a synthesis that needs room',
    {
      model: scripted([calls('long'), 'Tea.'], { contextWindow: 2_048 }),
      onStop: 'synthesize',
    },
    [...callStep, 'synthesis-start', 'compaction', 'message-end'],
    'synthesized',
  ],
  ['a call that waits for a person', { model: scripted([calls('danger')]) }, callStep, 'suspended'],
  [
    'lines that repeat',
    { model: scripted([`${'- one and the same line of text\n'.repeat(9)}`]) },
    ['step-start', 'repetition', 'message-end', 'step-end'],
    'answered',
  ],
])('%s', async (_, options, expected, outcome) => {
  const tools = testTools({ long: { text: long }, danger: { status: 'needs_consent', text: 'May it?' } })
  const { events, result } = await collect({ messages, tools, ...options })
  expect(typesOf(events)).toEqual(['run-start', ...expected, 'run-end'])
  expect(result.outcome).toBe(outcome)
})

it('an abort and a failure end without a terminal event', async () => {
  const controller = new AbortController()
  const abort = () => {
    controller.abort(new Error('enough'))
    return 'x'
  }
  for (const options of [
    { model: scripted([serverError, serverError]) },
    { model: scripted([abort]), signal: controller.signal },
  ]) {
    const events: AgentEvent[] = []
    const run = runAgent({ messages, ...options, onEvent: (event) => void events.push(event) })
    await expect(run).rejects.toThrow()
    expect(typesOf(events)).not.toContain('run-end')
  }
})

it('an onEvent that throws ends the run before the tool: what is not on disk does not happen', async () => {
  const tools = testTools()
  const full = new Error('disk full')
  const run = runAgent({
    model: scripted([calls('a'), 'Tea.']),
    messages,
    tools,
    onEvent: async (event) => {
      if (event.type === 'tool-start') throw full
    },
  })
  await expect(run).rejects.toBe(full)
  expect(tools.executed).toEqual([])
})
