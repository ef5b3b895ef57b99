import { type AgentResult, maxSteps, maxToolCalls, streamAgent } from '@icm/agent-loop'
import type { ChatModel, Message } from '@icm/chat-model'
import { IcmError } from '@icm/errors'
import { cleanOutput, outputFault } from './clean-output.js'
import { PipelineError } from './errors.js'
import { lookUpFirst } from './look-up-first.js'
import type { PipelineEventBody, PipelineOptions, StageTools } from './types.js'

/** One bounded conversation of a stage: a prompt in, the text of a document out. */
export interface TurnRequest {
  readonly messages: readonly Message[]
  readonly tools?: StageTools
  /** Named in the repair prompt and in errors. */
  readonly outputName: string
  /**
   * What is to be written, in the contract's words. Said again when tools have been used and the text is still not
   * there: small models have lost the task by then, answer with nothing or copy the page they read last. The shape of
   * the answer should come last in it.
   */
  readonly task: string
  /**
   * What a later stage, or a reader, would miss in this text, as a sentence; undefined when it can be used. Such a text is asked
   * for once more too, but it is kept when it stays so: a person can mend it at the gate.
   */
  readonly missingForLater?: (text: string) => string | undefined
}

export interface Turn {
  readonly text: string
  readonly messages: readonly Message[]
  /** The last answer hit a token limit. */
  readonly truncated: boolean
  /** What tools really showed; an error's text is no evidence, it may quote the address that the model made up. */
  readonly toolTexts: readonly string[]
  readonly toolCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

export type TurnSettings = { readonly model: ChatModel } & Pick<
  PipelineOptions,
  'temperature' | 'maxOutputTokens' | 'maxItemTokens' | 'seed' | 'stopWhen' | 'signal'
>

const defaultStopWhen = [maxToolCalls(12), maxSteps(16)]

/**
 * Runs one turn: tools until the model writes its answer (or a cap makes it write one), then cleaning, and one repair
 * turn when the answer is no document. Throws `pipeline/no-output` with what was written in `details.text`.
 */
export async function* runTurn(
  request: TurnRequest,
  settings: TurnSettings,
): AsyncGenerator<PipelineEventBody, Turn, void> {
  const first = yield* runOnce(request, settings)
  const text = cleanOutput(first.text)
  const fault = faultOf(first, text)
  const missing = fault === undefined ? request.missingForLater?.(text) : undefined
  if (fault === undefined && missing === undefined) return summarize(text, [first])
  if (fault === undefined) return yield* mendForLater(request, settings, first, text, missing ?? '')
  yield { type: 'output-repair', reason: fault }
  const prompt = `That was not the output: ${fault}. Write ${request.outputName} now. Answer only with its content, no tool call and no remark.`
  const second = yield* runOnce(
    withoutTools(request, [...first.messages, { role: 'user', text: prompt }]),
    settings,
  )
  const repaired = cleanOutput(second.text)
  const stillWrong = faultOf(second, repaired)
  if (stillWrong === undefined) return summarize(repaired, [first, second])
  throw new PipelineError({
    code: 'pipeline/no-output',
    what: `${request.outputName} was not written: ${fault}, and after a second request ${stillWrong}.`,
    why: 'An apology, an empty answer or a tool call is not an output.',
    instead: 'Run the stage again, use a larger model, or ask for less in the contract.',
    details: { text: repaired || text, reason: stillWrong },
  })
}

function faultOf(result: AgentResult, text: string): string | undefined {
  if (result.outcome !== 'stopped') return outputFault(text)
  return `no text was written (${result.stopReason ?? 'the run was stopped'})`
}

async function* mendForLater(
  request: TurnRequest,
  settings: TurnSettings,
  first: AgentResult,
  text: string,
  missing: string,
): AsyncGenerator<PipelineEventBody, Turn, void> {
  yield { type: 'output-repair', reason: missing }
  const prompt = `That cannot be used yet: ${missing}. Write the whole of ${request.outputName} again with that mended. Answer only with its content.`
  const messages = [...first.messages, { role: 'user', text: prompt } as const]
  try {
    const second = yield* runOnce(withoutTools(request, messages), settings)
    const mended = cleanOutput(second.text)
    const isBetter = faultOf(second, mended) === undefined && request.missingForLater?.(mended) === undefined
    return summarize(isBetter ? mended : text, isBetter ? [first, second] : [second, first])
  } catch (error) {
    // The first text is a whole document: a failure of the optional second request must not lose it.
    if (settings.signal?.aborted === true || !IcmError.isInstance(error)) throw error
    return summarize(text, [first])
  }
}

function withoutTools({ outputName, task }: TurnRequest, messages: readonly Message[]): TurnRequest {
  return { messages, outputName, task }
}

async function* runOnce(
  { messages, tools, outputName, task }: TurnRequest,
  settings: TurnSettings,
): AsyncGenerator<PipelineEventBody, AgentResult, void> {
  const { model, temperature, maxOutputTokens, seed, signal } = settings
  const stream = streamAgent({
    model,
    messages,
    onStop: 'synthesize',
    synthesizePrompt: `Stop using tools now. ${writeNow(outputName, task)}`,
    emptyPrompt: `Your last answer was empty. ${tools === undefined ? '' : 'Call another tool, or go on: '}${writeNow(outputName, task)}`,
    stopWhen: settings.stopWhen ?? defaultStopWhen,
    ...(tools === undefined ? {} : { tools, tooEarly: lookUpFirst(tools) }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(seed === undefined ? {} : { seed }),
    ...(signal === undefined ? {} : { signal }),
  })
  for await (const event of stream) {
    if (event.type === 'run-end') {
      const { outcome, stopReason, truncated, usage } = event.result
      yield {
        type: 'turn-end',
        outcome,
        ...(stopReason === undefined ? {} : { stopReason }),
        truncated,
        ...usage,
      }
      if (outcome === 'suspended') throw suspended(event.result)
      return event.result
    }
    if (event.type !== 'step-end') yield { type: 'agent', event }
  }
  throw new PipelineError({
    code: 'pipeline/no-output',
    what: `${outputName} was not written.`,
    why: 'The conversation ended without a result.',
    instead: 'Run the stage again; if it happens again, report it with the journal.',
  })
}

function writeNow(outputName: string, task: string): string {
  return `Write ${outputName} now, from what you were given and what was found above. Answer only with its content; say what is missing instead of inventing it. The task was:\n\n${task}`
}

function suspended(result: AgentResult): PipelineError {
  const waiting = (result.pending ?? []).map(
    ({ call, text }) => `${call.name} ${JSON.stringify(call.arguments)}: ${text}`,
  )
  return new PipelineError({
    code: 'pipeline/suspended',
    what: `The stage waits for a person: ${waiting.join('; ')}.`,
    why: 'These calls may change things, and nobody has said that they may run.',
    instead:
      'Grant the tool durably in icm.config.toml ([servers.<name>.tools.<tool>] effect = "read") if it only reads, or take it out of the contract; then run again.',
    details: { pending: waiting },
  })
}

function summarize(text: string, results: readonly AgentResult[]): Turn {
  const steps = results.flatMap((result) => result.steps)
  const ran = steps.flatMap((step) => step.tools).filter((tool) => tool.notRun === undefined)
  return {
    text,
    messages: results.at(-1)?.messages ?? [],
    truncated: results.at(-1)?.truncated ?? false,
    toolTexts: ran.filter((tool) => tool.answer.status === 'ok').map((tool) => tool.answer.text),
    toolCalls: ran.length,
    inputTokens: results.reduce((sum, result) => sum + result.usage.inputTokens, 0),
    outputTokens: results.reduce((sum, result) => sum + result.usage.outputTokens, 0),
  }
}
