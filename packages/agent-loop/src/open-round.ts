import type { AssistantMessage, Message, Usage } from '@icm/chat-model'
import type { CallKeys } from './call-keys.js'
import type { AgentStep, ToolStep } from './types.js'

/** The calls at the end of a history that are not all answered. */
export interface OpenRound {
  readonly message: AssistantMessage
  readonly usage: Usage
  /** How many messages stand before the results of this round. */
  readonly head: number
  /** The calls that are answered, by id. */
  readonly settled: ReadonlyMap<string, ToolStep>
  /** The steps before this round. */
  readonly steps: readonly AgentStep[]
  readonly recovered: boolean
}

/**
 * Finds the round that a suspended or killed run left open: the last assistant message, when one of its calls has no
 * result. What was answered, in the messages or in the last step, counts; a call that waits for a person does not.
 */
export async function findOpenRound(
  messages: readonly Message[],
  steps: readonly AgentStep[],
  keys: CallKeys,
): Promise<OpenRound | undefined> {
  const head = messages.findLastIndex((message) => message.role !== 'tool') + 1
  const message = messages[head - 1]
  if (message?.role !== 'assistant' || (message.toolCalls ?? []).length === 0) return undefined
  const calls = message.toolCalls ?? []
  const last = steps.at(-1)
  const ids = (step: AgentStep | undefined) =>
    (step?.message.toolCalls ?? []).map((call) => call.id).join('\n')
  const record =
    last !== undefined && ids(last) === calls.map((call) => call.id).join('\n') ? last : undefined
  const settled = new Map<string, ToolStep>()
  for (const call of calls) {
    const known = record?.tools.find((tool) => tool.call.id === call.id)
    const result = messages.slice(head).find((each) => each.role === 'tool' && each.toolCallId === call.id)
    if (known !== undefined && known.answer.status !== 'needs_consent') settled.set(call.id, known)
    else if (result?.role === 'tool') {
      const status = result.isError === true ? 'error' : 'ok'
      const answer = { status, text: result.text, callKey: await keys.of(call) } as const
      settled.set(call.id, { call, answer, durationMs: 0, recovered: false })
    }
  }
  const answered = messages.slice(head).flatMap((each) => (each.role === 'tool' ? [each.toolCallId] : []))
  if (calls.every((call) => answered.includes(call.id))) return undefined
  return {
    message,
    usage: record?.usage ?? {},
    head,
    settled,
    steps: record === undefined ? steps : steps.slice(0, -1),
    recovered: record?.tools.some((tool) => tool.recovered) ?? false,
  }
}
