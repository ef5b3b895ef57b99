import type { Message, ToolCall } from '@icm/chat-model'
import { resultMessage } from './run-tools.js'
import type { AgentEvent, AgentStep, Resume, ToolStep } from './types.js'

/** What to give to `streamAgent` so that it goes on where the journal ends. */
export interface RestoredRun {
  readonly messages: readonly Message[]
  readonly resume: Resume
}

export interface RestoreOptions {
  /**
   * Whether a call that had begun when the process ended may run again (reads, idempotent tools). Default: none may;
   * the model is told that the call is in doubt (field report C05).
   */
  readonly mayRunAgain?: (call: ToolCall) => boolean
}

/**
 * Rebuilds a run from the messages that it was started with and the events that a journal kept of it, in order and
 * `model` events aside; the process may have ended after any of them. Calls with a result are not run again, calls
 * that had not begun are still to be run.
 */
export function restoreRun(
  messages: readonly Message[],
  events: Iterable<AgentEvent>,
  options: RestoreOptions = {},
): RestoredRun {
  const journal = { messages: [...messages], steps: [] as AgentStep[] }
  let open: (Omit<AgentStep, 'tools'> & { readonly tools: ToolStep[] }) | undefined
  let begun: Extract<AgentEvent, { type: 'tool-start' }> | undefined
  let synthesis: Message[] = []
  for (const event of events) {
    if (event.type === 'run-end') return restored(event.result.messages, event.result.steps)
    if (event.type === 'message-end') {
      const { step, message, usage, discarded } = event
      journal.messages.push(...synthesis, discarded === undefined ? message : { role: 'assistant', text: '' })
      open = { step, message, usage, tools: [] }
    } else if (event.type === 'tool-start') begun = event
    else if (event.type === 'tool-end') {
      open?.tools.push(toolStepOf(event, begun?.recovered ?? false))
      begun = undefined
    } else if (event.type === 'step-end') {
      journal.steps.push(event.step)
      journal.messages.push(...resultsOf(event.step))
      open = undefined
    } else if (event.type === 'nudge') journal.messages.push({ role: 'user', text: event.prompt })
    else if (event.type === 'retry' && event.prompt !== undefined)
      journal.messages.push({ role: 'assistant', text: '' }, { role: 'user', text: event.prompt })
    else if (event.type === 'synthesis-start') synthesis = [{ role: 'user', text: event.prompt }]
  }
  const calls = open?.message.toolCalls ?? []
  if (open !== undefined && calls.length > 0) {
    if (begun !== undefined && options.mayRunAgain?.(begun.call) !== true) open.tools.push(interrupted(begun))
    journal.steps.push(open)
  }
  return restored(withoutBlankEnd(journal.messages), journal.steps)
}

function restored(messages: readonly Message[], steps: readonly AgentStep[]): RestoredRun {
  return { messages, resume: { steps, decisions: [] } }
}

function toolStepOf(event: Extract<AgentEvent, { type: 'tool-end' }>, recovered: boolean): ToolStep {
  const { call, status, text, callKey, durationMs, notRun } = event
  const answer = { status, text, callKey }
  return { call, answer, durationMs, recovered, ...(notRun === undefined ? {} : { notRun }) }
}

function interrupted({ call, callKey, recovered }: Extract<AgentEvent, { type: 'tool-start' }>): ToolStep {
  const text = `The program ended while ${call.name} ran. Nobody knows whether it took effect; do not call it again with the same arguments.`
  return { call, answer: { status: 'in_doubt', text, callKey }, durationMs: 0, recovered }
}

function resultsOf(step: AgentStep): Message[] {
  const answered = step.tools.filter(({ answer }) => answer.status !== 'needs_consent')
  return answered.map(({ call, answer }) => resultMessage(call, answer))
}

// An answer of nothing whose follow-up did not reach the journal is asked for again.
function withoutBlankEnd(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1)
  const isBlank = last?.role === 'assistant' && last.toolCalls === undefined && last.text.trim() === ''
  return isBlank ? messages.slice(0, -1) : messages
}
