import type { AssistantMessage, ChatModel, ChatRequest, FinishReason, Usage } from '@icm/chat-model'
import type { Emit } from './emit.js'
import { createRepetitionWatch } from './repeated-lines.js'

/** One whole answer. */
export interface Answer {
  readonly message: AssistantMessage
  readonly reason: FinishReason
  readonly usage: Usage
}

/** Streams one answer: passes its events on and returns the whole message, cut where its lines began to repeat. */
export async function streamAnswer(
  model: ChatModel,
  request: ChatRequest,
  step: number,
  emit: Emit,
): Promise<Answer> {
  let answer: Answer | undefined
  let text = ''
  const watch = createRepetitionWatch()
  for await (const event of model.stream(request)) {
    if (event.type === 'finish') {
      answer = { message: event.message, reason: event.reason, usage: event.usage }
      continue
    }
    const written = emit({ type: 'model', step, event })
    if (written !== undefined) await written // awaiting what is no promise would cost a turn of the queue per token
    if (event.type !== 'text-delta') continue
    text += event.text
    const kept = watch(event.text)
    if (kept === undefined) continue
    await emit({ type: 'repetition', step, removedCharacters: text.length - kept })
    // Leaving the loop stops the model's work.
    return { message: { role: 'assistant', text: text.slice(0, kept) }, reason: 'length', usage: {} }
  }
  // Every adapter ends with `finish` or throws; the fallback keeps a foreign one from ending in a crash here.
  return answer ?? { message: { role: 'assistant', text }, reason: 'stop', usage: {} }
}
