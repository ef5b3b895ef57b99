import {
  type AssistantMessage,
  type ChatModel,
  type ChatRequest,
  type FinishReason,
  looksLikeToolCall,
  type Message,
  type Usage,
} from '@icm/chat-model'
import { cutRepeatedLines } from './repeated-lines.js'
import type { AgentEvent } from './types.js'

/** The last user message of a run that is cut short, unless the caller words its own. */
export const defaultSynthesizePrompt =
  'Stop using tools now. Write the final output from what you have gathered above. State what is missing instead of inventing it.'

/** One streamed answer, told apart from the events that it sent. */
export interface Answer {
  readonly message: AssistantMessage
  readonly reason: FinishReason
  readonly usage: Usage
}

/** Streams one answer: passes its events on and returns the whole message. */
export async function* streamAnswer(
  model: ChatModel,
  request: ChatRequest,
  step: number,
): AsyncGenerator<Extract<AgentEvent, { type: 'model' | 'repetition' }>, Answer, void> {
  let answer: Answer | undefined
  let text = ''
  for await (const event of model.stream(request)) {
    if (event.type === 'finish') {
      answer = { message: event.message, reason: event.reason, usage: event.usage }
      continue
    }
    yield { type: 'model', step, event }
    if (event.type !== 'text-delta') continue
    text += event.text
    const cut = event.text.includes('\n')
      ? cutRepeatedLines(text.slice(0, text.lastIndexOf('\n')))
      : undefined
    if (cut === undefined) continue
    yield { type: 'repetition', step, removedCharacters: text.length - cut.length }
    // Leaving the loop stops the model's work.
    return { message: { role: 'assistant', text: cut }, reason: 'length', usage: {} }
  }
  // Every adapter ends with `finish` or throws; the fallback keeps a foreign one from ending in a crash here.
  return answer ?? { message: { role: 'assistant', text: '' }, reason: 'stop', usage: {} }
}

/** The tool-free request that ends a cut-short run: same model and settings, no tools (field report C01). */
export function synthesisRequest(request: ChatRequest, messages: readonly Message[]): ChatRequest {
  const { tools: _, toolChoice: __, ...settings } = request
  return { ...settings, messages, toolChoice: 'none' }
}

/** A synthesis that is blank or still asks for a tool gives no output. */
export function isUsableText(text: string): boolean {
  return text.trim() !== '' && looksLikeToolCall(text) === undefined
}
