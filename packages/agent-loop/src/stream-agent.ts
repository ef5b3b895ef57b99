import type { AssistantMessage, ToolCall, Usage } from '@icm/chat-model'
import { ask } from './ask.js'
import { roughTokens } from './compact-history.js'
import { compactIfNeeded } from './compact-run.js'
import { nudge, tooEarly } from './nudge.js'
import { findOpenRound } from './open-round.js'
import { type Run, resultOf, startRun, stopReason } from './run-state.js'
import { resultMessage, runTools } from './run-tools.js'
import { synthesize } from './synthesize.js'
import { imitatesToolResult, readAnswer } from './tool-calls.js'
import type { AgentEvent, AgentOptions, AgentResult, AgentStep, PendingCall, ToolStep } from './types.js'

/**
 * Runs a tool-calling conversation to its end and yields what happens as plain JSON events. The generator returns
 * the result that `run-end` carries. Nothing is added to the given messages but what the conversation brings: no
 * system text, no reordering, so that each request is a prefix of the next and the server's cache keeps working.
 *
 * Throws `signal.reason` on abort and `ChatModelError` on infrastructure failures, both without a terminal event.
 */
export async function* streamAgent(options: AgentOptions): AsyncGenerator<AgentEvent, AgentResult, void> {
  options.signal?.throwIfAborted()
  const run = startRun(options)
  yield { type: 'run-start', tools: run.specs.map((spec) => spec.name) }
  yield* compactIfNeeded(run)
  let ending = options.resume === undefined ? undefined : yield* finishOpenRound(run)
  while (ending === undefined) {
    options.signal?.throwIfAborted()
    const reason = stopReason(run)
    ending = reason === false ? yield* takeStep(run) : { reason }
  }
  const result = yield* end(run, ending)
  yield { type: 'run-end', result }
  return result
}

type Ending =
  | { readonly text: string }
  | { readonly reason: string; readonly pending?: readonly PendingCall[] }

async function* end(run: Run, ending: Ending): AsyncGenerator<AgentEvent, AgentResult, void> {
  if ('text' in ending) return resultOf(run, 'answered', ending.text)
  const { reason, pending } = ending
  if (pending !== undefined) return { ...resultOf(run, 'suspended', ''), stopReason: reason, pending }
  if (run.options.onStop === 'synthesize') return yield* synthesize(run, reason)
  return { ...resultOf(run, 'stopped', ''), stopReason: reason }
}

/** One answer and what comes of it. Undefined: the run goes on. */
async function* takeStep(run: Run): AsyncGenerator<AgentEvent, Ending | undefined, void> {
  const step = run.steps.length + 1
  yield { type: 'step-start', step }
  const answer = yield* ask(run, step)
  if (typeof answer === 'string') return { reason: answer }
  const { usage, reason } = answer
  const { message, calls, recoveredFrom } = readAnswer(answer.message, {
    ...run,
    step,
    history: run.messages,
  })
  if (calls.length === 0) return yield* takeText(run, step, { message, usage, reason })
  const recovered = recoveredFrom === undefined ? {} : { recoveredFrom }
  run.messages.push(message)
  yield { type: 'message-end', step, message, reason, usage, ...recovered }
  run.state.mustCall = false
  return yield* answerCalls(run, { step, message, usage, calls, recovered: recoveredFrom !== undefined })
}

/** An answer without calls is the end, unless it is blank, made up, or comes too early. */
async function* takeText(
  run: Run,
  step: number,
  answer: {
    readonly message: AssistantMessage
    readonly usage: Usage
    readonly reason: 'stop' | 'tool-calls' | 'length'
  },
): AsyncGenerator<AgentEvent, Ending | undefined, void> {
  const { message, usage } = answer
  const invented = run.specs.length > 0 && imitatesToolResult(message.text, run.messages)
  const early = message.text.trim() === '' ? undefined : tooEarly(run)
  const discarded = invented ? 'invented-result' : early !== undefined ? 'too-early' : undefined
  run.messages.push(discarded === undefined ? message : { role: 'assistant', text: '' })
  yield { type: 'message-end', step, ...answer, ...(discarded === undefined ? {} : { discarded }) }
  yield endStep(run, { step, message, usage, tools: [] })
  if (discarded === undefined && message.text.trim() !== '') return { text: message.text }
  const reason = yield* nudge(run, step, discarded ?? 'empty', early)
  return reason === undefined ? undefined : { reason }
}

interface CallsToAnswer {
  readonly step: number
  readonly message: AssistantMessage
  readonly usage: Usage
  readonly calls: readonly ToolCall[]
  readonly recovered: boolean
  readonly settled?: ReadonlyMap<string, ToolStep>
}

async function* answerCalls(
  run: Run,
  { message, usage, ...round }: CallsToAnswer,
): AsyncGenerator<AgentEvent, Ending | undefined, void> {
  const { tools, log, options } = run
  const done = yield* runTools({
    ...round,
    tools,
    log,
    stopReason: () => stopReason(run),
    signal: options.signal,
  })
  const waiting = done.steps.filter(({ answer }) => answer.status === 'needs_consent')
  for (const { call, answer } of done.steps) {
    if (answer.status === 'needs_consent') continue
    run.messages.push(resultMessage(call, answer))
    run.state.historyTokens += roughTokens(answer.text.length)
  }
  yield endStep(run, { step: round.step, message, usage, tools: done.steps })
  if (waiting.length > 0) return suspended(waiting)
  return done.stopReason === undefined ? undefined : { reason: done.stopReason }
}

function suspended(waiting: readonly ToolStep[]): Ending {
  const pending = waiting.map(({ call, answer: { callKey, text } }) => ({ call, callKey, text }))
  return { reason: `${pending.map(({ call }) => call.name).join(', ')} needs a person's consent`, pending }
}

function endStep(run: Run, step: AgentStep): AgentEvent {
  run.steps.push(step)
  return { type: 'step-end', step }
}

/** What a suspended or killed run left behind: open calls are answered first, a text that is there is the answer. */
async function* finishOpenRound(run: Run): AsyncGenerator<AgentEvent, Ending | undefined, void> {
  const open = await findOpenRound(run.messages, run.steps, run.log.keys)
  if (open === undefined) {
    const last = run.messages.at(-1)
    const isText = last?.role === 'assistant' && last.toolCalls === undefined && last.text.trim() !== ''
    return isText ? { text: last.text } : undefined
  }
  // The results are put into the order of their calls; no request has been sent since they came.
  run.messages.length = open.head
  run.steps.splice(0, run.steps.length, ...open.steps)
  const { message, usage, settled, recovered } = open
  const step = run.steps.length + 1
  return yield* answerCalls(run, { step, message, usage, calls: message.toolCalls ?? [], recovered, settled })
}
