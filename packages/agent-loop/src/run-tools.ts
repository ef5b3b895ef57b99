import type { Message, ToolCall } from '@icm/chat-model'
import { hashJson } from '@icm/json-schema'
import { stuckCycle } from './stuck-guard.js'
import type { AgentEvent, ToolAnswer, ToolRunner, ToolStep } from './types.js'

export interface ToolRound {
  readonly step: number
  readonly calls: readonly ToolCall[]
  readonly recovered: boolean
  readonly tools: ToolRunner
  /** Keys of all calls that the run has executed, in order; this round adds its own. */
  readonly executedKeys: string[]
  /** Asked before each call, with the calls of this round that are done: a reason to stop, or false. */
  readonly stopReason: (done: readonly ToolStep[]) => string | false
  readonly signal: AbortSignal | undefined
}

export interface ToolRoundResult {
  readonly steps: readonly ToolStep[]
  readonly messages: readonly Message[]
  /** Set when the round was cut short: the rest of its calls are answered as not executed. */
  readonly stopReason?: string
}

/**
 * Runs the calls of one answer, one by one and in order (local tools share a disk and a browser), and gives every
 * call exactly one result message, also those that are not executed any more.
 */
export async function* runTools(round: ToolRound): AsyncGenerator<AgentEvent, ToolRoundResult, void> {
  const done: ToolStep[] = []
  let stopReason: string | false = false
  for (const call of round.calls) {
    round.signal?.throwIfAborted()
    stopReason ||= round.stopReason(done)
    const key = await keyOf(round.tools, call)
    const cycle =
      round.tools.isRepeatable?.(call.name) === true ? undefined : stuckCycle(round.executedKeys, key)
    let result: ToolStep
    if (stopReason !== false) {
      result = notRun(call, key, round.recovered, 'cut-short', `Not executed: ${stopReason}.`)
    } else if (cycle !== undefined) {
      stopReason =
        cycle === 1
          ? `${call.name} was called a third time with the same arguments`
          : `the same ${cycle} calls were repeated a third time`
      result = notRun(
        call,
        key,
        round.recovered,
        'stuck',
        `Not executed: ${stopReason}. Its result stands above.`,
      )
    } else {
      yield { type: 'tool-start', step: round.step, call, recovered: round.recovered }
      round.executedKeys.push(key)
      result = await execute(round, call)
    }
    done.push(result)
    yield toolEnd(round.step, result)
  }
  return { steps: done, messages: done.map(resultMessage), ...(stopReason === false ? {} : { stopReason }) }
}

async function execute(round: ToolRound, call: ToolCall): Promise<ToolStep> {
  const started = performance.now()
  const answer = await round.tools.run(call, round.signal === undefined ? {} : { signal: round.signal })
  // A runner reports an aborted call as data; the run itself ends by the abort.
  round.signal?.throwIfAborted()
  return { call, answer, durationMs: Math.round(performance.now() - started), recovered: round.recovered }
}

async function keyOf(tools: ToolRunner, call: ToolCall): Promise<string> {
  return (await tools.keyOf?.(call)) ?? hashJson([call.name, call.arguments ?? null]).slice(0, 16)
}

function notRun(
  call: ToolCall,
  callKey: string,
  recovered: boolean,
  why: 'stuck' | 'cut-short',
  text: string,
): ToolStep {
  const answer: ToolAnswer = { status: 'error', text, callKey }
  return { call, answer, durationMs: 0, recovered, notRun: why }
}

function toolEnd(step: number, { call, answer, durationMs, notRun }: ToolStep): AgentEvent {
  const { status, text } = answer
  return {
    type: 'tool-end',
    step,
    call,
    status,
    text,
    durationMs,
    ...(notRun === undefined ? {} : { notRun }),
  }
}

function resultMessage({ call, answer }: ToolStep): Message {
  return {
    role: 'tool',
    toolCallId: call.id,
    toolName: call.name,
    text: answer.text,
    ...(answer.status === 'ok' ? {} : { isError: true }),
  }
}
