import type { ChatHistoryItem, ChatModelFunctionCall, ChatModelSegment } from 'node-llama-cpp'
import type { AssistantMessage, Message } from '../types.js'

type ModelPart = string | ChatModelFunctionCall | ChatModelSegment

/**
 * Messages as node-llama-cpp's history, in which one model item holds a whole tool loop: text, call with its result,
 * next text. Each step only adds to what the step before gave, so that the engine finds its tokens again.
 * A tool result whose call is not in the history is shown as user text.
 */
export function toLlamaHistory(messages: readonly Message[]): ChatHistoryItem[] {
  const history: ChatHistoryItem[] = []
  let parts: ModelPart[] | undefined
  let calls = new Map<string, ChatModelFunctionCall>()
  let answered = false

  for (const message of messages) {
    if (message.role === 'tool') {
      const call = calls.get(message.toolCallId)
      if (call === undefined) {
        parts = undefined
        history.push({ type: 'user', text: `Result of ${message.toolName}:\n${message.text}` })
      } else {
        call.result = message.text
        answered = true
      }
      continue
    }
    if (message.role === 'assistant') {
      // A step of the same tool loop goes on in the same item; otherwise this is a new turn.
      if (parts === undefined || !answered) {
        parts = []
        history.push({ type: 'model', response: parts })
      }
      calls = addAssistantParts(parts, message)
      answered = false
      continue
    }
    parts = undefined
    calls = new Map()
    history.push(
      message.role === 'system'
        ? { type: 'system', text: message.text }
        : { type: 'user', text: message.text },
    )
  }
  return history
}

function addAssistantParts(
  parts: ModelPart[],
  message: AssistantMessage,
): Map<string, ChatModelFunctionCall> {
  const calls = new Map<string, ChatModelFunctionCall>()
  if (message.reasoning !== undefined && message.reasoning !== '') {
    parts.push({ type: 'segment', segmentType: 'thought', text: message.reasoning, ended: true })
  }
  if (message.text !== '') parts.push(message.text)
  for (const [index, call] of (message.toolCalls ?? []).entries()) {
    const part: ChatModelFunctionCall = {
      type: 'functionCall',
      name: call.name,
      params: call.arguments,
      result: '',
      startsNewChunk: index === 0,
    }
    calls.set(call.id, part)
    parts.push(part)
  }
  return calls
}
