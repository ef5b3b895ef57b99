import {
  type AssistantMessage,
  looksLikeToolCall,
  type Message,
  recoverToolCalls,
  type ToolCall,
  type ToolSpec,
} from '@icm/chat-model'

/** An answer as it goes into the history, and the calls in it. */
export interface ReadAnswer {
  readonly message: AssistantMessage
  readonly calls: readonly ToolCall[]
  /** Set when the calls were read from the text. */
  readonly recoveredFrom?: string
}

/** What decides how an answer is read. */
export interface ReadContext {
  readonly step: number
  readonly specs: readonly ToolSpec[]
  readonly history: readonly Message[]
  /** Ids of all calls so far; those of this answer are added. */
  readonly callIds: Set<string>
}

/**
 * Finds the calls of an answer: native ones, else calls written as text (most of a small model's calls arrive so).
 * A text that is shaped like a call but names no tool, or cannot be parsed, becomes a call too: the runner answers
 * it with what is wrong, and the model can mend it. Nothing is recovered when no tools are offered, or when the same
 * call stands in a tool result (then it is a quotation; field report B01).
 */
export function readAnswer(answer: AssistantMessage, context: ReadContext): ReadAnswer {
  const { specs, history } = context
  if (answer.toolCalls !== undefined && answer.toolCalls.length > 0) {
    const calls = answer.toolCalls.map((call) => withOwnId(call, 'call', context))
    return { message: { ...answer, toolCalls: calls }, calls }
  }
  if (specs.length === 0) return { message: answer, calls: [] }
  const found = recoverToolCalls(answer.text, specs)
  const shaped = found.length > 0 ? undefined : looksLikeToolCall(answer.text, specs)
  const wanted =
    shaped === undefined
      ? found
      : [{ name: shaped.name ?? 'unnamed', arguments: shaped.arguments ?? answer.text }]
  const calls = wanted
    .filter((call) => shaped !== undefined || !isQuoted(call, history))
    .map((call) => withOwnId({ id: '', ...call }, 'recovered', context))
  if (calls.length === 0) return { message: answer, calls: [] }
  return { message: { ...answer, text: '', toolCalls: calls }, calls, recoveredFrom: answer.text }
}

/** A call whose id stands for it alone; some servers send none, or the same in every answer (field report B07). */
function withOwnId(call: ToolCall, prefix: string, { step, callIds }: ReadContext): ToolCall {
  let { id } = call
  for (let count = 1; id === '' || callIds.has(id); count++) id = `${prefix}-${step}-${count}`
  callIds.add(id)
  return id === call.id ? call : { id, name: call.name, arguments: call.arguments }
}

function isQuoted(call: { name: string; arguments: unknown }, history: readonly Message[]): boolean {
  const name = JSON.stringify(call.name)
  const written = squeeze(
    typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
  )
  return history.some((message) => {
    // An error quotes the call that it answers: that is no page that tells the model what to call.
    if (message.role !== 'tool' || message.isError === true || !message.text.includes(name)) return false
    return squeeze(message.text).includes(written)
  })
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '')
}

/**
 * Whether an answer imitates a tool's result instead of asking for one: small models continue the conversation in the
 * tool's place, with invented content. It shows by the chat template's own tag, or by an opening line that a real
 * result of this run has too.
 */
export function imitatesToolResult(text: string, history: readonly Message[]): boolean {
  if (/^\s*<\/?tool_response\b/.test(text)) return true
  const [opening = ''] = text.trimStart().split('\n')
  if (opening.length < shortestOpening) return false
  return history.some((message) => message.role === 'tool' && message.text.startsWith(opening))
}

const shortestOpening = 12
