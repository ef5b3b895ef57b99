import {
  type ChatRequest,
  estimateTokens,
  type Message,
  type ToolChoice,
  type ToolSpec,
} from '@icm/chat-model'
import { createCallKeys } from './call-keys.js'
import { roughTokens } from './compact-history.js'
import type { Emit } from './emit.js'
import type { CallLog } from './run-tools.js'
import { maxSteps } from './stop-conditions.js'
import type { Answer } from './stream-answer.js'
import type {
  AgentEvent,
  AgentOptions,
  AgentResult,
  AgentStep,
  Decision,
  StopCondition,
  ToolRunner,
  ToolStep,
} from './types.js'

/** Beyond this share of the window a run stops calling tools, so that the final answer still fits. */
const windowShare = 0.7

/** What a run knows while it lasts. */
export interface Run {
  readonly options: AgentOptions
  readonly tools: ToolRunner
  readonly specs: readonly ToolSpec[]
  readonly messages: Message[]
  readonly steps: AgentStep[]
  readonly log: CallLog
  readonly usage: { inputTokens: number; outputTokens: number }
  readonly state: RunState
  /** Ids of all calls so far. */
  readonly callIds: Set<string>
  readonly started: number
  readonly emit: Emit
}

interface RunState {
  nudges: { empty: number; 'invented-result': number; 'too-early': number }
  retries: { 'failed-answer': number; 'output-budget': number }
  /** Raised once when an answer used up its tokens without a text. */
  maxOutputTokens: number | undefined
  truncated: boolean
  /** The next answer should be a call; forgotten once one came. */
  mustCall: boolean
  historyTokens: number
  overflowed: boolean
  /** An event was not taken: the error in hand is the consumer's, not the model's. */
  consumerFailed: boolean
}

export function startRun(options: AgentOptions, emit: Emit): Run {
  const { resume, model } = options
  const steps = [...(resume?.steps ?? [])]
  const tools = options.tools ?? toolFree
  const run: Run = {
    options,
    tools,
    specs: tools.specs(),
    messages: [...options.messages],
    steps,
    log: startLog(tools, resume?.decisions ?? [], steps),
    usage: { inputTokens: 0, outputTokens: 0 },
    callIds: new Set(options.messages.flatMap(callIdsOf)),
    started: performance.now(),
    emit: (event) => watched(run, emit, event),
    state: {
      nudges: { empty: 0, 'invented-result': 0, 'too-early': 0 },
      retries: { 'failed-answer': 0, 'output-budget': 0 },
      maxOutputTokens: options.maxOutputTokens,
      truncated: false,
      mustCall: false,
      historyTokens: 0,
      overflowed: false,
      consumerFailed: false,
    },
  }
  for (const { usage } of steps) addUsage(run, usage)
  // Only then can something be too long that could be shortened.
  if (model.contextWindow !== undefined && run.messages.some((message) => message.role === 'tool'))
    run.state.historyTokens = estimateTokens(run.messages, run.specs)
  return run
}

function watched(run: Run, emit: Emit, event: AgentEvent): void | Promise<void> {
  try {
    const written = emit(event)
    return written === undefined ? undefined : watchWriting(run, written)
  } catch (error) {
    run.state.consumerFailed = true
    throw error
  }
}

async function watchWriting(run: Run, written: Promise<void>): Promise<void> {
  try {
    await written
  } catch (error) {
    run.state.consumerFailed = true
    throw error
  }
}

/** Some models call tools that nobody offered: such a call gets its answer too. */
const toolFree: ToolRunner = {
  specs: () => [],
  run: async ({ name }) => ({
    status: 'error',
    text: `There is no tool "${name}", and no other: write the answer.`,
  }),
}

function startLog(tools: ToolRunner, decisions: readonly Decision[], steps: readonly AgentStep[]): CallLog {
  const log: CallLog = {
    keys: createCallKeys(tools),
    executed: [],
    waiting: new Set(),
    inDoubt: new Set(),
    decisions: [...decisions],
  }
  for (const tool of steps.flatMap((step) => step.tools)) {
    const known = log.keys.learn(tool.call, tool.answer.callKey)
    if (!wasRun(tool)) continue
    log.executed.push(known)
    if (tool.answer.status === 'in_doubt') log.inDoubt.add(known)
  }
  return log
}

function callIdsOf(message: Message): string[] {
  return message.role === 'assistant' ? (message.toolCalls ?? []).map((call) => call.id) : []
}

/** Whether a call was executed: neither answered by the loop nor waiting for a person. */
export function wasRun({ notRun, answer }: ToolStep): boolean {
  return notRun === undefined && answer.status !== 'needs_consent'
}

/** Why the run must not go on, or false: the caller's conditions, then the share of the window. */
export function stopReason(run: Run): string | false {
  const { stopWhen = maxSteps(10), model } = run.options
  const conditions: readonly StopCondition[] = typeof stopWhen === 'function' ? [stopWhen] : stopWhen
  const seen = {
    steps: run.steps,
    toolCalls: run.log.executed.length + run.log.waiting.size,
    elapsedMs: performance.now() - run.started,
    outputTokens: run.usage.outputTokens,
  }
  for (const condition of conditions) {
    const reason = condition(seen)
    if (reason !== false) return reason
  }
  const { contextWindow } = model
  const { historyTokens } = run.state
  if (contextWindow === undefined || run.steps.length === 0) return false
  if (historyTokens < contextWindow * windowShare) return false
  const share = Math.round((100 * historyTokens) / contextWindow)
  return `the conversation fills ${share} % of the window of ${contextWindow} tokens`
}

/** The next request. Its messages are those of the last one and what came since. */
export function requestOf(run: Run, toolChoice: ToolChoice | undefined): ChatRequest {
  const { temperature, seed, signal } = run.options
  const { maxOutputTokens } = run.state
  const request: { -readonly [key in keyof ChatRequest]: ChatRequest[key] } = { messages: [...run.messages] }
  if (run.specs.length > 0) request.tools = run.specs
  if (toolChoice !== undefined) request.toolChoice = toolChoice
  if (temperature !== undefined) request.temperature = temperature
  if (maxOutputTokens !== undefined) request.maxOutputTokens = maxOutputTokens
  if (seed !== undefined) request.seed = seed
  if (signal !== undefined) request.signal = signal
  return request
}

/** Counts an answer that came. */
export function countAnswer(run: Run, { usage, reason, message }: Answer): void {
  addUsage(run, usage)
  run.state.truncated = reason === 'length'
  const { inputTokens, outputTokens = 0 } = usage
  // A server that counts nothing must not switch the window's guard off.
  run.state.historyTokens =
    inputTokens === undefined
      ? roughTokens(JSON.stringify(run.messages).length + message.text.length)
      : inputTokens + outputTokens
}

function addUsage(run: Run, { inputTokens, outputTokens }: Answer['usage']): void {
  run.usage.inputTokens += inputTokens ?? 0
  run.usage.outputTokens += outputTokens ?? 0
}

/** What a run ends with; `text` is empty unless there is an answer. */
export function resultOf(run: Run, outcome: AgentResult['outcome'], text: string): AgentResult {
  const { messages, steps, usage } = run
  const { truncated } = run.state
  return { outcome, truncated, text, messages: [...messages], steps: [...steps], usage: { ...usage } }
}
