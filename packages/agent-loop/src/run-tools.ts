import type { Message, ToolCall } from '@icm/chat-model'
import type { CallKeys } from './call-keys.js'
import type { Emit } from './emit.js'
import { stuckCycle } from './stuck-guard.js'
import type { AgentEvent, Decision, NotRun, ToolAnswer, ToolRunner, ToolStep } from './types.js'
import { untilAborted } from './until-aborted.js'

/** What is known about the calls of a run; each round adds to it. */
export interface CallLog {
  readonly keys: CallKeys
  /** Keys of the executed calls, in order. */
  readonly executed: string[]
  /** Ids of the calls that wait for a person. */
  readonly waiting: Set<string>
  /** Keys of calls that may have taken effect without an answer. */
  readonly inDoubt: Set<string>
  /** Decisions that are not used up. */
  readonly decisions: Decision[]
}

export interface ToolRound {
  readonly step: number
  readonly calls: readonly ToolCall[]
  readonly recovered: boolean
  readonly tools: ToolRunner
  readonly log: CallLog
  /** Calls that a resumed run answered before, by id: not run again. */
  readonly settled: ReadonlyMap<string, ToolStep> | undefined
  /** Asked before each call but the first: a reason to stop, or false. */
  readonly stopReason: () => string | false
  readonly signal: AbortSignal | undefined
  readonly emit: Emit
}

export interface ToolRoundResult {
  /** One for each call, in order. */
  readonly steps: readonly ToolStep[]
  /** Set when the round was cut short: the rest of its calls are answered as not executed. */
  readonly stopReason?: string
}

/**
 * Answers the calls of one message, one by one and in order (local tools share a disk and a browser): every call gets
 * exactly one answer, also those that are not executed any more.
 */
export async function runTools(round: ToolRound): Promise<ToolRoundResult> {
  const done: ToolStep[] = []
  let stopReason: string | false = false
  for (const call of round.calls) {
    const settled = round.settled?.get(call.id)
    if (settled !== undefined) {
      done.push(settled)
      continue
    }
    round.signal?.throwIfAborted()
    if (done.length > 0) stopReason ||= round.stopReason()
    const key = await round.log.keys.of(call)
    const decision: Decision | undefined =
      stopReason === false ? takeDecision(round.log.decisions, key) : undefined
    const refusal: Refusal | undefined =
      stopReason === false ? refusalOf(round, call, key, decision) : cutShort(stopReason)
    if (refusal?.why === 'stuck') stopReason = refusal.reason
    let result: ToolStep
    if (refusal === undefined) {
      await round.emit({
        type: 'tool-start',
        step: round.step,
        call,
        callKey: key,
        recovered: round.recovered,
      })
      result = await execute(round, call, key, decision)
    } else {
      const answer = { status: 'error', text: `Not executed: ${refusal.text}`, callKey: key } as const
      result = { call, answer, durationMs: 0, recovered: round.recovered, notRun: refusal.why }
    }
    done.push(result)
    await round.emit(toolEnd(round.step, result))
  }
  return { steps: done, ...(stopReason === false ? {} : { stopReason }) }
}

// Used up by the first call that has its key: a second equal call is put to the person again (field report D02).
function takeDecision(decisions: Decision[], key: string): Decision | undefined {
  const index = decisions.findIndex((decision) => decision.callKey === key)
  return index < 0 ? undefined : decisions.splice(index, 1)[0]
}

interface Refusal {
  readonly why: NotRun
  readonly reason: string
  readonly text: string
}

function cutShort(reason: string): Refusal {
  return { why: 'cut-short', reason, text: `${reason}.` }
}

/** Why a call must not run, whatever the runner would say. */
function refusalOf(
  { log, tools }: ToolRound,
  { name }: ToolCall,
  key: string,
  decision: Decision | undefined,
): Refusal | undefined {
  if (decision?.approved === false) {
    const reason = `a person declined this call${decision.note === undefined ? '' : ` and said: ${decision.note}`}`
    return { why: 'declined', reason, text: `${reason}. Do not call it again, and do not report it as done.` }
  }
  if (decision === undefined && log.inDoubt.has(key)) {
    const reason = `an equal call of ${name} may already have taken effect, and nobody knows`
    return { why: 'in-doubt', reason, text: `${reason}. Do not call it again; say that it is in doubt.` }
  }
  const cycle = tools.isRepeatable?.(name) === true ? undefined : stuckCycle(log.executed, key)
  if (cycle === undefined) return undefined
  const reason =
    cycle === 1
      ? `${name} was called a third time with the same arguments`
      : `the same ${cycle} calls were repeated a third time`
  return { why: 'stuck', reason, text: `${reason}. Its result stands above.` }
}

async function execute(
  { tools, log, signal, recovered }: ToolRound,
  call: ToolCall,
  key: string,
  decision: Decision | undefined,
): Promise<ToolStep> {
  const started = performance.now()
  const options: { signal?: AbortSignal; decision?: Decision } = {}
  if (signal !== undefined) options.signal = signal
  if (decision !== undefined) options.decision = decision
  const answered = await untilAborted(
    // The extra function turns a synchronous throw into a rejection.
    (async () => tools.run(call, options))().catch((error: unknown) => inDoubt(call, error)),
    signal,
  )
  // What else the runner says of the call stays with it.
  const answer = Object.assign({}, answered, {
    text: textOf(call, answered),
    callKey: answered.callKey ?? key,
  })
  const known = log.keys.learn(call, answer.callKey)
  if (answer.status === 'in_doubt') log.inDoubt.add(known)
  if (answer.status === 'needs_consent') log.waiting.add(call.id)
  else log.executed.push(known)
  return { call, answer, durationMs: Math.round(performance.now() - started), recovered }
}

// A throw after the call was sent says nothing about whether it took effect (field report C06).
function inDoubt(call: ToolCall, error: unknown) {
  const message = error instanceof Error ? error.message : String(error)
  const text = `${call.name} failed: ${message}. Nobody knows whether it took effect; do not call it again with the same arguments.`
  return { status: 'in_doubt', text, callKey: undefined } as const
}

// An empty text reads like a failure and invites the same call again (field report C03).
function textOf(
  call: ToolCall,
  { status, text }: { readonly status: string; readonly text: string },
): string {
  if (/\S/.test(text)) return text
  return status === 'ok'
    ? `${call.name} finished and returned nothing.`
    : `${call.name} failed without a reason.`
}

/** The message that carries an answer to the model. */
export function resultMessage(call: ToolCall, { status, text }: ToolAnswer): Message {
  const message = { role: 'tool', toolCallId: call.id, toolName: call.name, text } as const
  return status === 'ok' ? message : { ...message, isError: true }
}

function toolEnd(step: number, { call, answer, durationMs, notRun }: ToolStep): AgentEvent {
  const { status, text, callKey } = answer
  const ended = { type: 'tool-end', step, call, status, text, callKey, durationMs } as const
  return notRun === undefined ? ended : { ...ended, notRun }
}
