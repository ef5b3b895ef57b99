import type { AssistantMessage, ToolCall, Usage } from '@icm/chat-model'
import { ask } from './ask.js'
import { roughTokens } from './compact-history.js'
import { compactIfNeeded } from './compact-run.js'
import type { Emit } from './emit.js'
import { manyTools } from './many-tools.js'
import { nudge, tooEarly } from './nudge.js'
import { findOpenRound } from './open-round.js'
import { type Run, resultOf, startRun, stopReason } from './run-state.js'
import { resultMessage, runTools } from './run-tools.js'
import { synthesize } from './synthesize.js'
import { imitatesToolResult, readAnswer } from './tool-calls.js'
import type { AgentOptions, AgentResult, AgentStep, PendingCall, ToolStep } from './types.js'

/** The loop itself: what happens goes to `emit`, which is awaited before the run goes on. */
export async function runLoop(options: AgentOptions, emit: Emit): Promise<AgentResult> {
  options.signal?.throwIfAborted()
  const run = startRun(options, emit)
  await run.emit({ type: 'run-start', tools: run.specs.map((spec) => spec.name) })
  const crowd = manyTools(run.specs, options.model.contextWindow)
  if (crowd !== undefined) await run.emit(crowd)
  await compactIfNeeded(run)
  let ending = options.resume === undefined ? undefined : await finishOpenRound(run)
  while (ending === undefined) {
    options.signal?.throwIfAborted()
    const reason = stopReason(run)
    ending = reason === false ? await takeStep(run) : { reason }
  }
  const result = await end(run, ending)
  await run.emit({ type: 'run-end', result })
  return result
}

type Ending =
  | { readonly text: string }
  | { readonly reason: string; readonly pending?: readonly PendingCall[] }

async function end(run: Run, ending: Ending): Promise<AgentResult> {
  if ('text' in ending) return resultOf(run, 'answered', ending.text)
  const { reason, pending } = ending
  if (pending !== undefined) return { ...resultOf(run, 'suspended', ''), stopReason: reason, pending }
  if (run.options.onStop === 'synthesize') return await synthesize(run, reason)
  return { ...resultOf(run, 'stopped', ''), stopReason: reason }
}

/** One answer and what comes of it. Undefined: the run goes on. */
async function takeStep(run: Run): Promise<Ending | undefined> {
  const step = run.steps.length + 1
  await run.emit({ type: 'step-start', step })
  const answer = await ask(run, step)
  if (typeof answer === 'string') return { reason: answer }
  const { usage, reason } = answer
  const { specs, callIds, messages: history } = run
  const { message, calls, recoveredFrom } = readAnswer(answer.message, { step, specs, callIds, history })
  if (calls.length === 0) return await takeText(run, step, { message, usage, reason })
  run.messages.push(message)
  const ended = { type: 'message-end', step, message, reason, usage } as const
  await run.emit(recoveredFrom === undefined ? ended : { ...ended, recoveredFrom })
  run.state.mustCall = false
  return await answerCalls(run, { step, message, usage, calls, recovered: recoveredFrom !== undefined })
}

/** An answer without calls is the end, unless it is blank, made up, or comes too early. */
async function takeText(
  run: Run,
  step: number,
  answer: {
    readonly message: AssistantMessage
    readonly usage: Usage
    readonly reason: 'stop' | 'tool-calls' | 'length'
  },
): Promise<Ending | undefined> {
  const { message, usage } = answer
  const invented = run.specs.length > 0 && imitatesToolResult(message.text, run.messages)
  const early = message.text.trim() === '' ? undefined : tooEarly(run)
  const discarded = invented ? 'invented-result' : early !== undefined ? 'too-early' : undefined
  run.messages.push(discarded === undefined ? message : { role: 'assistant', text: '' })
  await run.emit({ type: 'message-end', step, ...answer, ...(discarded === undefined ? {} : { discarded }) })
  await endStep(run, { step, message, usage, tools: [] })
  if (discarded === undefined && message.text.trim() !== '') return { text: message.text }
  const reason = await nudge(run, step, discarded ?? 'empty', early)
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

async function answerCalls(run: Run, round: CallsToAnswer): Promise<Ending | undefined> {
  const { step, message, usage, calls, recovered, settled } = round
  const { tools, log, emit, options } = run
  const done = await runTools({
    step,
    calls,
    recovered,
    settled,
    tools,
    log,
    stopReason: () => stopReason(run),
    signal: options.signal,
    emit,
  })
  const waiting = done.steps.filter(({ answer }) => answer.status === 'needs_consent')
  for (const { call, answer } of done.steps) {
    if (answer.status === 'needs_consent') continue
    run.messages.push(resultMessage(call, answer))
    run.state.historyTokens += roughTokens(answer.text.length)
  }
  await endStep(run, { step, message, usage, tools: done.steps })
  if (waiting.length > 0) return suspended(waiting)
  return done.stopReason === undefined ? undefined : { reason: done.stopReason }
}

function suspended(waiting: readonly ToolStep[]): Ending {
  const pending = waiting.map(({ call, answer: { callKey, text } }) => ({ call, callKey, text }))
  return { reason: `${pending.map(({ call }) => call.name).join(', ')} needs a person's consent`, pending }
}

async function endStep(run: Run, step: AgentStep): Promise<void> {
  run.steps.push(step)
  await run.emit({ type: 'step-end', step })
}

/** What a suspended or killed run left behind: open calls are answered first, a text that is there is the answer. */
async function finishOpenRound(run: Run): Promise<Ending | undefined> {
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
  return await answerCalls(run, { step, message, usage, calls: message.toolCalls ?? [], recovered, settled })
}
