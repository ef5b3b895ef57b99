import { ChatModelError, type ChatRequest, type Message, type ToolSpec } from '@icm/chat-model'
import { compactHistory, roughTokens } from './compact-history.js'
import { runTools } from './run-tools.js'
import { maxSteps } from './stop-conditions.js'
import {
  type Answer,
  defaultSynthesizePrompt,
  isUsableText,
  streamAnswer,
  synthesisRequest,
} from './synthesize.js'
import { imitatesToolResult, readAnswer } from './tool-calls.js'
import type {
  AgentEvent,
  AgentOptions,
  AgentResult,
  AgentStep,
  PendingCall,
  StopCondition,
  TooEarly,
  ToolStep,
} from './types.js'

/** Beyond this share of the window a run stops calling tools, so that the final answer still fits. */
const windowShare = 0.7
/** Room for the final answer when a history must be shortened for it. */
const answerTokens = 1024

/**
 * Runs a tool-calling conversation to its end and yields what happens as plain JSON events. The generator returns
 * the result that `run-end` carries. Nothing is added to the given messages but what the conversation brings: no
 * system text, no reordering, so that each request is a prefix of the next and the server's cache keeps working.
 *
 * Throws `signal.reason` on abort and `ChatModelError` on infrastructure failures, both without a terminal event.
 */
export async function* streamAgent(options: AgentOptions): AsyncGenerator<AgentEvent, AgentResult, void> {
  const run = startRun(options)
  yield { type: 'run-start', tools: run.specs.map((spec) => spec.name) }
  let ending: Ending | undefined
  while (ending === undefined) {
    options.signal?.throwIfAborted()
    const reason = run.stopReason([])
    ending = reason === false ? yield* takeStep(run) : { reason }
  }
  const result = 'text' in ending ? finish(run, 'answered', ending.text) : yield* endEarly(run, ending)
  yield { type: 'run-end', result }
  return result
}

type Ending =
  | { readonly text: string }
  | { readonly reason: string; readonly pending?: readonly PendingCall[] }

interface Run {
  readonly options: AgentOptions
  readonly specs: readonly ToolSpec[]
  readonly messages: Message[]
  readonly steps: AgentStep[]
  readonly executedKeys: string[]
  readonly usage: { inputTokens: number; outputTokens: number }
  readonly state: {
    nudges: { empty: number; 'invented-result': number; 'too-early': number }
    truncated: boolean
    calls: number
    /** The next answer should be a call; forgotten once one came. */
    mustCall: boolean
    historyTokens: number
    overflowed: boolean
  }
  stopReason(done: readonly ToolStep[]): string | false
}

function startRun(options: AgentOptions): Run {
  const started = performance.now()
  const { stopWhen = maxSteps(10) } = options
  const conditions: readonly StopCondition[] = typeof stopWhen === 'function' ? [stopWhen] : stopWhen
  const steps: AgentStep[] = []
  const usage = { inputTokens: 0, outputTokens: 0 }
  const tools = options.tools?.specs() ?? []
  const state = {
    nudges: { empty: 0, 'invented-result': 0, 'too-early': 0 },
    truncated: false,
    calls: 0,
    mustCall: false,
    historyTokens: 0,
    overflowed: false,
  }
  return {
    options,
    specs: tools,
    messages: [...options.messages],
    steps,
    executedKeys: [],
    usage,
    state,
    stopReason(done) {
      const toolCalls = [...steps.flatMap((step) => step.tools), ...done].filter(wasRun).length
      const seen = {
        steps,
        toolCalls,
        elapsedMs: performance.now() - started,
        outputTokens: usage.outputTokens,
      }
      for (const condition of conditions) {
        const reason = condition(seen)
        if (reason !== false) return reason
      }
      return windowReason(options.model.contextWindow, state.historyTokens, steps)
    },
  }
}

function windowReason(
  window: number | undefined,
  tokens: number,
  steps: readonly AgentStep[],
): string | false {
  if (window === undefined || steps.length === 0 || tokens < window * windowShare) return false
  return `the conversation fills ${Math.round((100 * tokens) / window)} % of the window of ${window} tokens`
}

function requestOf(run: Run): ChatRequest {
  const { temperature, maxOutputTokens, seed, signal } = run.options
  return {
    messages: [...run.messages],
    ...(run.specs.length === 0 ? {} : { tools: run.specs }),
    ...toolChoiceOf(run),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(seed === undefined ? {} : { seed }),
    ...(signal === undefined ? {} : { signal }),
  }
}

function toolChoiceOf(run: Run): Pick<ChatRequest, 'toolChoice'> {
  const early = tooEarly(run)
  if (early?.tool !== undefined) return { toolChoice: { name: early.tool } }
  return early !== undefined || run.state.mustCall ? { toolChoice: 'required' } : {}
}

async function* takeStep(run: Run): AsyncGenerator<AgentEvent, Ending | undefined, void> {
  const step = run.steps.length + 1
  yield { type: 'step-start', step }
  const answer = yield* ask(run, step)
  if (typeof answer === 'string') return { reason: answer }
  const mintId = () => `recovered-${step}-${++run.state.calls}`
  const { message, calls, recoveredFrom } = readAnswer(answer.message, run.specs, run.messages, mintId)
  const invented =
    calls.length === 0 && run.specs.length > 0 && imitatesToolResult(message.text, run.messages)
  const early = calls.length === 0 && message.text.trim() !== '' ? tooEarly(run) : undefined
  // An invented result or a text from memory must not stand in the history, where it would read like evidence.
  run.messages.push(invented || early !== undefined ? { role: 'assistant', text: '' } : message)
  const { usage, reason } = answer
  yield {
    type: 'message-end',
    step,
    message,
    reason,
    usage,
    ...(recoveredFrom === undefined ? {} : { recoveredFrom }),
  }
  if (calls.length === 0 || run.options.tools === undefined) {
    const end: AgentStep = { step, message, usage, tools: [] }
    run.steps.push(end)
    yield { type: 'step-end', step: end }
    if (invented) return yield* nudge(run, step, 'invented-result', nudgePrompts['invented-result'])
    if (early !== undefined) return yield* nudge(run, step, 'too-early', early.prompt)
    return (
      answered(answer) ?? (yield* nudge(run, step, 'empty', run.options.emptyPrompt ?? nudgePrompts.empty))
    )
  }
  run.state.mustCall = false
  const round = yield* runTools({
    step,
    calls,
    recovered: recoveredFrom !== undefined,
    tools: run.options.tools,
    executedKeys: run.executedKeys,
    stopReason: (done) => (done.length === 0 ? false : run.stopReason(done)),
    signal: run.options.signal,
  })
  const pending = round.steps.filter((tool) => tool.answer.status === 'needs_consent')
  const waiting = new Set(pending.map((tool) => tool.call.id))
  run.messages.push(
    ...round.messages.filter((result) => result.role !== 'tool' || !waiting.has(result.toolCallId)),
  )
  run.state.historyTokens += roughTokens(round.messages.reduce((sum, result) => sum + result.text.length, 0))
  const end: AgentStep = { step, message, usage, tools: round.steps }
  run.steps.push(end)
  yield { type: 'step-end', step: end }
  if (pending.length > 0) {
    const calls = pending.map(({ call, answer: { callKey, text } }) => ({ call, callKey, text }))
    return {
      reason: `${pending.map(({ call }) => call.name).join(', ')} needs a person's consent`,
      pending: calls,
    }
  }
  return round.stopReason === undefined ? undefined : { reason: round.stopReason }
}

function wasRun(tool: ToolStep): boolean {
  return tool.notRun === undefined
}

/** Failures of one answer after which there is still something to write the output from. */
const endedEarly: { readonly [code: string]: string } = {
  'chat/context-overflow': 'the conversation no longer fits the window',
  'chat/output-budget-exhausted': 'an answer used up its tokens without a text',
  'chat/server-error': 'the server failed in the middle of the run',
}

/** A reason to end when the answer failed but facts were gathered before (field reports A03, A09, C01). */
async function* ask(run: Run, step: number): AsyncGenerator<AgentEvent, Answer | string, void> {
  try {
    const answer = yield* streamAnswer(run.options.model, requestOf(run), step)
    count(run, answer)
    return answer
  } catch (error) {
    const reason = ChatModelError.isInstance(error) ? endedEarly[error.code] : undefined
    if (reason === undefined || run.steps.length === 0 || run.options.onStop !== 'synthesize') throw error
    run.state.overflowed = ChatModelError.isInstance(error) && error.code === 'chat/context-overflow'
    return reason
  }
}

function count(run: Run, answer: Answer): void {
  run.usage.inputTokens += answer.usage.inputTokens ?? 0
  run.usage.outputTokens += answer.usage.outputTokens ?? 0
  const { inputTokens, outputTokens } = answer.usage
  // A server that counts nothing must not switch the window's guard off.
  const estimated = roughTokens(JSON.stringify(run.messages).length + answer.message.text.length)
  run.state.historyTokens = inputTokens === undefined ? estimated : inputTokens + (outputTokens ?? 0)
  run.state.truncated = answer.reason === 'length'
}

function answered(answer: Answer): Ending | undefined {
  return answer.message.text.trim() === '' ? undefined : { text: answer.message.text }
}

/** Why an answer would come too early; undefined without tools, and once the model has been told often enough. */
function tooEarly(run: Run): TooEarly | undefined {
  if (run.specs.length === 0 || run.state.nudges['too-early'] >= maxNudges['too-early']) return undefined
  return run.options.tooEarly?.(run.steps)
}

const nudgePrompts = {
  empty:
    'Your last answer was empty. Call a tool, or write the whole final answer as it was asked for at the beginning.',
  'invented-result':
    'That was no result of a tool: you wrote it yourself. Only tools write results. Call a tool now, with one tool call and nothing else, or write the final answer from the results above.',
} as const

/**
 * A blank turn is not the end (field report B05, and small models after a tool result), and neither is an invented
 * tool result: asked once more, each kind at most `maxNudges` times.
 */
async function* nudge(
  run: Run,
  step: number,
  reason: keyof typeof maxNudges,
  prompt: string,
): AsyncGenerator<AgentEvent, Ending | undefined, void> {
  const count = ++run.state.nudges[reason]
  if (count > maxNudges[reason]) {
    return {
      reason:
        reason === 'empty'
          ? 'the model answered with nothing, twice'
          : 'the model kept inventing tool results',
    }
  }
  run.state.mustCall = reason !== 'empty'
  run.messages.push({ role: 'user', text: prompt })
  yield { type: 'nudge', step, reason }
  return undefined
}

const maxNudges = { empty: 1, 'invented-result': 2, 'too-early': 3 } as const

async function* endEarly(
  run: Run,
  ending: { readonly reason: string; readonly pending?: readonly PendingCall[] },
): AsyncGenerator<AgentEvent, AgentResult, void> {
  if (ending.pending !== undefined) {
    return { ...finish(run, 'suspended', ''), stopReason: ending.reason, pending: ending.pending }
  }
  if (run.options.onStop !== 'synthesize') return { ...finish(run, 'stopped', ''), stopReason: ending.reason }
  yield { type: 'synthesis-start', reason: ending.reason }
  run.messages.push({ role: 'user', text: run.options.synthesizePrompt ?? defaultSynthesizePrompt })
  yield* compactIfNeeded(run)
  const step = run.steps.length + 1
  const request = synthesisRequest(requestOf(run), [...run.messages])
  const answer = yield* streamAnswer(run.options.model, request, step)
  count(run, answer)
  const { toolCalls: _, ...message } = answer.message
  run.messages.push(message)
  yield { type: 'message-end', step, message, reason: answer.reason, usage: answer.usage }
  const usable = isUsableText(message.text)
  return {
    ...finish(run, usable ? 'synthesized' : 'stopped', usable ? message.text : ''),
    stopReason: ending.reason,
  }
}

async function* compactIfNeeded(run: Run): AsyncGenerator<AgentEvent, void, void> {
  const window = run.options.model.contextWindow
  if (window === undefined) return
  const room = window - Math.min(run.options.maxOutputTokens ?? answerTokens, window / 4)
  const excess = run.state.overflowed ? window / 2 : run.state.historyTokens - room
  if (excess <= 0) return
  const { messages, shortenedResults, removedCharacters } = compactHistory(run.messages, excess)
  run.messages.splice(0, run.messages.length, ...messages)
  yield { type: 'compaction', shortenedResults, removedCharacters }
}

function finish(run: Run, outcome: AgentResult['outcome'], text: string): AgentResult {
  const { truncated } = run.state
  return {
    outcome,
    truncated,
    text,
    messages: [...run.messages],
    steps: [...run.steps],
    usage: { ...run.usage },
  }
}
