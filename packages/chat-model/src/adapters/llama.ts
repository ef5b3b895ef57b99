import type { ChatModel } from '../types.js'
import { type LlamaCppOptions, openLlamaEngine } from './llama-engine.js'
import { createLlamaModel } from './llama-model.js'

export type { LlamaCppOptions } from './llama-engine.js'
export { llamaProblem } from './llama-problem.js'

/**
 * A model inside this process: llama.cpp through the optional peer `node-llama-cpp`.
 *
 * Requests run one at a time, in the order of their first `next()`. The model keeps the tokens of the last request:
 * a request that begins like it (the next turn of a tool loop, the next item with the same instructions) reads only
 * what is new. An answer has at most one call. The arguments of a call in the model's own format, and an answer to
 * `outputSchema`, are held to their schema while they are written, but for what a grammar cannot say (patterns and
 * bounds); small models often write a call as text instead, see `recoverToolCalls`. Tools and `outputSchema` in one
 * request: the tools win, the schema is not used. Dispose it to free its memory.
 *
 * Throws `chat/peer-missing`, `chat/model-missing`, `chat/bad-option` or `chat/out-of-memory`, and on an abort while it
 * loads the signal's reason; a request throws
 * `chat/context-overflow` before it is evaluated.
 */
export async function llamaCpp(options: LlamaCppOptions): Promise<ChatModel & AsyncDisposable> {
  return createLlamaModel(await openLlamaEngine(options))
}
