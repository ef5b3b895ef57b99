import type { Message, ToolSpec } from './types.js'

/**
 * Estimates the tokens of a prompt without the model's tokenizer: a quarter of its UTF-8 bytes, plus eight for the
 * frame of each message. Good to about a third for prose and code; never a reason to refuse a prompt by itself.
 */
export function estimateTokens(messages: readonly Message[], tools: readonly ToolSpec[] = []): number {
  let bytes = tools.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(tools))
  for (const message of messages) {
    bytes += Buffer.byteLength(message.text)
    if (message.role !== 'assistant') continue
    bytes += Buffer.byteLength(message.reasoning ?? '')
    if (message.toolCalls !== undefined) bytes += Buffer.byteLength(JSON.stringify(message.toolCalls))
  }
  return Math.ceil(bytes / 4) + 8 * messages.length
}
