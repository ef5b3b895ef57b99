import type { ChatModel } from '@icm/chat-model'
import type { ProgramOptions } from './read-options.js'

export interface OpenedModel {
  readonly model: ChatModel
  close(): Promise<void>
}

/** The model of a name: on the server, or with `llama` from a GGUF file in this process. */
export async function openModel(
  name: string,
  { provider, host, contextWindow }: ProgramOptions,
  signal?: AbortSignal,
): Promise<OpenedModel> {
  if (provider === 'ollama') {
    const { ollama } = await import('@icm/chat-model/ollama')
    const model = ollama({ model: name, contextWindow, ...(host === undefined ? {} : { host }) })
    return { model, close: async () => {} }
  }
  const { llamaCpp } = await import('@icm/chat-model/llama')
  const model = await llamaCpp({
    modelPath: name,
    contextSize: contextWindow,
    ...(signal === undefined ? {} : { signal }),
  })
  return { model, close: async () => model[Symbol.asyncDispose]() }
}
