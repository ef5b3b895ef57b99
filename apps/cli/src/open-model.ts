import { type ChatModel, queueCalls } from '@icm/chat-model'
import type { Configuration } from './config.js'
import type { ModelChoice } from './model-search.js'
import { expectNativeWork } from './native-exit.js'
import { catalogWithinMs } from './ollama-candidates.js'

export interface ChosenModel {
  readonly model: ChatModel
  /** One line for the banner: which model, where. */
  readonly description: string
  /** Why this one. */
  readonly why: string
  /** What came before it in the order, was there, and failed. */
  readonly warnings: readonly string[]
  close(): Promise<void>
}

export interface OpenModelOptions {
  readonly signal?: AbortSignal
  /** Told what changes later, in words for a person, such as a window that the machine has no memory for. */
  readonly onWarning?: ((text: string) => void) | undefined
}

/** Opens one model. The embedded engine loads its file here, a server with the first request. Throws `ChatModelError`. */
export async function openModel(
  choice: ModelChoice,
  configuration: Configuration,
  { signal, onWarning }: OpenModelOptions = {},
): Promise<ChosenModel> {
  const stopping = signal === undefined ? {} : { signal }
  switch (choice.provider) {
    case 'ollama':
      return openOllama(choice, configuration.model, { ...stopping, onWarning })
    case 'openai-compatible':
      return openOpenai(choice, configuration.model, stopping)
    case 'llama':
      return openLlama(choice, configuration.model, stopping)
  }
}

type Choice<Name extends ModelChoice['provider']> = Extract<ModelChoice, { provider: Name }>
type Stopping = { readonly signal?: AbortSignal }

async function openOllama(
  { name, host, why }: Choice<'ollama'>,
  { contextWindow, thinking, parallel }: Configuration['model'],
  { onWarning, ...stopping }: OpenModelOptions,
): Promise<ChosenModel> {
  const { ollama, showOllamaModel } = await import('@icm/chat-model/ollama')
  // Known before the first request: a stage that does not fit must be refused before it starts.
  const limits = { totalTimeoutMs: catalogWithinMs }
  const { contextLength } = await showOllamaModel({ host, model: name, limits, ...stopping })
  const window = Math.min(contextWindow, contextLength ?? contextWindow)
  const warning = onWarning === undefined ? {} : { onWarning }
  const model = ollama({ model: name, host, think: thinking, contextWindow: window, ...warning })
  return onServer(queueCalls(model, { parallel }), `${name} on Ollama at ${host}`, why)
}

async function openOpenai(
  { name, baseUrl, apiKey, why }: Choice<'openai-compatible'>,
  { contextWindow, thinking, thinkingIsExplicit, parallel }: Configuration['model'],
  stopping: Stopping,
): Promise<ChosenModel> {
  const { openaiCompatible, readOpenaiWindow } = await import('@icm/chat-model/openai-compatible')
  const place = { baseUrl, model: name, ...(apiKey === undefined ? {} : { apiKey }) }
  const told = await readOpenaiWindow({ ...place, ...stopping })
  const model = openaiCompatible({
    ...place,
    contextWindow: Math.min(contextWindow, told ?? contextWindow),
    ...(thinkingIsExplicit ? { reasoningEffort: thinking ? 'medium' : 'none' } : {}),
  })
  return onServer(queueCalls(model, { parallel }), `${name} at ${baseUrl}`, why)
}

async function openLlama(
  { path, why }: Choice<'llama'>,
  { contextWindow }: Configuration['model'],
  stopping: Stopping,
): Promise<ChosenModel> {
  const { llamaCpp } = await import('@icm/chat-model/llama')
  expectNativeWork()
  const model = await llamaCpp({ modelPath: path, contextSize: contextWindow, ...stopping })
  const description = `${path.split(/[\\/]/).at(-1)} in the embedded engine (llama.cpp)`
  return { model, description, why, warnings: [], close: async () => model[Symbol.asyncDispose]() }
}

function onServer(model: ChatModel, description: string, why: string): ChosenModel {
  return { model, description, why, warnings: [], close: async () => undefined }
}
