import { type AssistantMessage, ChatModelError, type Message, type ToolCall } from '@icm/chat-model'
import { scripted } from '@icm/chat-model/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lookUp } from './__fixtures__/test-tools.js'
import { maxSteps, maxToolCalls } from './stop-conditions.js'
import { streamAgent } from './stream-agent.js'
import type {
  AgentEvent,
  AgentOptions,
  AgentResult,
  Decision,
  Resume,
  ToolRunner,
  ToolStatus,
} from './types.js'

type Answer =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'calls'; readonly words: readonly string[]; readonly ids: 'own' | 'same' | 'none' }
  | { readonly kind: 'written'; readonly text: string }
  | { readonly kind: 'error'; readonly code: ChatModelError['code']; readonly retryable: boolean }
  | { readonly kind: 'abort' }

type ToolBehaviour = ToolStatus | 'throws' | 'aborts' | 'empty'

interface Script {
  readonly answers: readonly Answer[]
  readonly tools: { readonly [word: string]: ToolBehaviour }
  readonly onStop: 'return' | 'synthesize'
  readonly window: number | undefined
  readonly calls: number
  /** What a person decides on each call that waits, run by run; undefined: nothing. */
  readonly decisions: readonly (boolean | undefined)[]
}

const word = fc.constantFrom('a', 'b', 'c', 'd')
const call = (name: string, words: string) => JSON.stringify({ name, arguments: { word: words } })
const answer: fc.Arbitrary<Answer> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('calls' as const),
      words: fc.array(word, { minLength: 1, maxLength: 4 }),
      ids: fc.constantFrom('own' as const, 'same' as const, 'none' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('text' as const),
      text: fc.constantFrom(
        '',
        ' \n',
        'Text.',
        '<tool_response>x</tool_response>',
        'ok: a and more',
        `${'a line that repeats itself\n'.repeat(5)}`,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('written' as const),
      text: fc.oneof(
        word.map((each) => call('look_up', each)),
        word.map((each) => call('unknown', each)),
        fc.constant('{"name": "look_up", "arguments": {word'),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('error' as const),
      code: fc.constantFrom(
        'chat/server-error' as const,
        'chat/stream-corrupt' as const,
        'chat/context-overflow' as const,
        'chat/output-budget-exhausted' as const,
        'chat/unreachable' as const,
      ),
      retryable: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('abort' as const) }) },
)
const behaviour = fc.constantFrom<ToolBehaviour>(
  'ok',
  'ok',
  'ok',
  'error',
  'needs_consent',
  'in_doubt',
  'throws',
  'aborts',
  'empty',
)
const script: fc.Arbitrary<Script> = fc.record({
  answers: fc.array(answer, { maxLength: 14 }),
  tools: fc.record({ a: behaviour, b: behaviour, c: behaviour, d: behaviour }),
  onStop: fc.constantFrom('return' as const, 'synthesize' as const),
  window: fc.constantFrom(undefined, 512, 4_096),
  calls: fc.integer({ min: 1, max: 12 }),
  decisions: fc.array(fc.option(fc.boolean(), { nil: undefined }), { maxLength: 4 }),
})

interface Executed {
  readonly id: string
  readonly key: string
  readonly status: ToolBehaviour
}

function toolsOf(
  behaviours: Script['tools'],
  controller: AbortController,
): ToolRunner & { readonly executed: Executed[] } {
  const executed: Executed[] = []
  return {
    executed,
    specs: () => [lookUp],
    async run(asked, { decision }) {
      const { word: named } = (asked.arguments ?? {}) as { word?: string }
      const callKey = JSON.stringify([asked.name, asked.arguments])
      const status = asked.name === 'look_up' ? (behaviours[named ?? ''] ?? 'error') : 'error'
      const approved = decision?.approved === true && decision.callKey === callKey
      if (status === 'needs_consent' && !approved) return { status, text: 'May it?', callKey }
      executed.push({ id: asked.id, key: callKey, status })
      if (status === 'throws') throw new Error('connection lost')
      if (status === 'aborts') controller.abort(aborted)
      if (status === 'empty') return { status: 'ok', text: '', callKey }
      if (status === 'needs_consent' || status === 'aborts') return { status: 'ok', text: 'done', callKey }
      return { status, text: `${status}: ${named}`, callKey }
    },
  }
}

const aborted = new Error('aborted by the script')
let minted = 0

function messageOf(step: Answer, controller: AbortController): string | AssistantMessage | Error {
  if (step.kind === 'text' || step.kind === 'written') return step.text
  if (step.kind === 'error')
    return new ChatModelError({
      code: step.code,
      what: 'Failed.',
      why: '',
      instead: '',
      retryable: step.retryable,
    })
  if (step.kind === 'abort') {
    controller.abort(aborted)
    return 'never read'
  }
  const id = () => (step.ids === 'own' ? `own-${++minted}` : step.ids === 'same' ? 'call_0' : '')
  return {
    role: 'assistant',
    text: '',
    toolCalls: step.words.map((each): ToolCall => ({ id: id(), name: 'look_up', arguments: { word: each } })),
  }
}

interface Ended {
  readonly events: readonly AgentEvent[]
  readonly result?: AgentResult
  readonly error?: unknown
}

async function drive(options: AgentOptions): Promise<Ended> {
  const events: AgentEvent[] = []
  try {
    const stream = streamAgent(options)
    for (;;) {
      const next = await stream.next()
      if (next.done) return { events, result: next.value }
      events.push(next.value)
    }
  } catch (error) {
    return { events, error }
  }
}

const start: readonly Message[] = [
  { role: 'system', text: 'You look words up.' },
  { role: 'user', text: 'Look up tea.' },
]

/** Runs a script to its end; a run that is suspended is resumed with the decisions of the script, as often as they last. */
async function play({ answers, tools: behaviours, onStop, window, calls, decisions }: Script) {
  const controller = new AbortController()
  const model = scripted(
    [
      ...answers,
      { kind: 'text', text: 'The end.' } as const,
      ...Array.from({ length: 40 }, () => ({ kind: 'text', text: 'The end.' }) as const),
    ].map((step) => () => messageOf(step, controller)),
    window === undefined ? {} : { contextWindow: window },
  )
  const tools = toolsOf(behaviours, controller)
  const settings = {
    model,
    tools,
    onStop,
    stopWhen: [maxSteps(12), maxToolCalls(calls)],
    signal: controller.signal,
  }
  const runs: Ended[] = []
  let messages = start
  let resume: Resume | undefined
  for (const decided of [...decisions, undefined]) {
    const ended = await drive({ ...settings, messages, ...(resume === undefined ? {} : { resume }) })
    runs.push(ended)
    if (ended.result?.outcome !== 'suspended') break
    messages = ended.result.messages
    const made: Decision[] = (ended.result.pending ?? []).flatMap(({ callKey }) =>
      decided === undefined ? [] : [{ callKey, approved: decided }],
    )
    resume = JSON.parse(JSON.stringify({ steps: ended.result.steps, decisions: made })) as Resume
  }
  return { runs, executed: tools.executed, requests: model.requests }
}

function asksOf(messages: readonly Message[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [],
  )
}

function resultsOf(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : []))
}

const runs = { numRuns: 600 }

it('a run has exactly one end: run-end as the last event, or a throw and none', async () => {
  await fc.assert(
    fc.asyncProperty(script, async (each) => {
      for (const { events, result, error } of (await play(each)).runs) {
        const ends = events.filter((event) => event.type === 'run-end')
        if (error === undefined) {
          expect(ends).toEqual([{ type: 'run-end', result }])
          expect(events.at(-1)?.type).toBe('run-end')
        } else {
          expect(ends).toEqual([])
          expect(error === aborted || ChatModelError.isInstance(error)).toBe(true)
        }
      }
    }),
    runs,
  )
})

it('every call has exactly one result, in order; only a suspended run leaves those open that wait', async () => {
  await fc.assert(
    fc.asyncProperty(script, async (each) => {
      const { runs: ended, requests } = await play(each)
      for (const { result } of ended) {
        if (result === undefined) continue
        const waiting = (result.pending ?? []).map((pending) => pending.call.id)
        const asked = asksOf(result.messages)
        expect(new Set(asked).size).toBe(asked.length)
        expect(resultsOf(result.messages)).toEqual(asked.filter((id) => !waiting.includes(id)))
        expect(result.outcome === 'suspended').toBe(waiting.length > 0)
      }
      for (const request of requests) expect(resultsOf(request.messages)).toEqual(asksOf(request.messages))
    }),
    runs,
  )
})

it('messages are append-only; a compaction, which shortens results, is the one exception and an event', async () => {
  await fc.assert(
    fc.asyncProperty(script, async (each) => {
      const { runs: ended, requests } = await play(each)
      const compacted = ended.some(({ events }) => events.some((event) => event.type === 'compaction'))
      const plain = (messages: readonly Message[]) =>
        messages.map((message) => (compacted && message.role === 'tool' ? { ...message, text: '' } : message))
      const histories = [...requests.map((request) => request.messages), ended.at(-1)?.result?.messages ?? []]
      for (const [index, history] of histories.entries()) {
        const before = histories[index - 1]
        if (before === undefined || history.length === 0) continue
        expect(plain(history).slice(0, before.length)).toEqual(plain(before))
      }
    }),
    runs,
  )
})

it('nothing is executed twice, nothing declined or in doubt is executed, and no cap is passed', async () => {
  await fc.assert(
    fc.asyncProperty(script, async (each) => {
      const { runs: ended, executed } = await play(each)
      expect(new Set(executed.map(({ id }) => id)).size).toBe(executed.length)
      expect(executed.length).toBeLessThanOrEqual(each.calls)
      const doubtful = executed
        .filter(({ status }) => status === 'in_doubt' || status === 'throws')
        .map(({ key }) => key)
      expect(new Set(doubtful).size).toBe(doubtful.length)
      const declined = ended
        .flatMap(({ result }) => result?.steps ?? [])
        .flatMap((step) => step.tools.filter((tool) => tool.notRun === 'declined'))
      for (const { call: refused } of declined) expect(executed.map(({ id }) => id)).not.toContain(refused.id)
    }),
    runs,
  )
})

it('a start and an end of each executed call stand in the events, each once and in this order', async () => {
  await fc.assert(
    fc.asyncProperty(script, async (each) => {
      for (const { events } of (await play(each)).runs) {
        let open: string | undefined
        for (const event of events) {
          if (event.type === 'tool-start') {
            expect(open).toBeUndefined()
            open = event.call.id
          }
          if (event.type !== 'tool-end') continue
          expect(open).toBe(event.notRun === undefined ? event.call.id : undefined)
          open = undefined
        }
      }
    }),
    runs,
  )
})
