import { ChatModelError } from './errors.js'
import type { ChatModel, ChatRequest, ChatResponse } from './types.js'

/** Runs one request to its end. Throws what the stream throws, and `chat/stream-corrupt` when it has no end. */
export async function generate(model: ChatModel, request: ChatRequest): Promise<ChatResponse> {
  for await (const event of model.stream(request)) {
    if (event.type !== 'finish') continue
    return { message: event.message, reason: event.reason, usage: event.usage }
  }
  throw missingFinish(model.id)
}

/** For a stream that ends without `finish`: a broken adapter. */
export function missingFinish(modelId: string): ChatModelError {
  return new ChatModelError({
    code: 'chat/stream-corrupt',
    what: `The stream of ${modelId} ended without a finish event.`,
    why: 'Only that event says that an answer is complete.',
    instead: 'Run describeChatModel on the adapter.',
    details: { model: modelId },
  })
}
