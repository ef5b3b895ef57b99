import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import type { Llama, LlamaChat, LlamaContextSequence, LlamaModel } from 'node-llama-cpp'
import { ChatModelError } from '../errors.js'
import { startLlamaBackend } from './llama-backend.js'
import { adaptChatWrapper } from './llama-functions.js'
import { checkModelFile, loadError } from './llama-model-file.js'
import { importLlama, type LlamaModule } from './llama-peer.js'

export interface LlamaCppOptions {
  /** A GGUF file. */
  readonly modelPath: string
  /** Tokens that prompt and answer share. Default 8192; at most what the model was trained on. */
  readonly contextSize?: number
  /** `'auto'` uses a GPU that node-llama-cpp has a prebuilt binary for. Default false. */
  readonly gpu?: 'auto' | false
  /** Default `availableParallelism()`. */
  readonly threads?: number
  /** Stops the loading; its reason is thrown at once, and what has been loaded by then is freed. */
  readonly signal?: AbortSignal
}

/** A loaded model with its one context and one sequence. */
export interface LlamaEngine {
  readonly id: string
  readonly module: LlamaModule
  readonly llama: Llama
  readonly model: LlamaModel
  readonly sequence: LlamaContextSequence
  readonly chat: LlamaChat
  readonly contextSize: number
  readonly loadMs: number
  dispose(): Promise<void>
}

/**
 * Loads a model file. Throws `chat/peer-missing`, `chat/model-missing` (no such file), `chat/bad-option` (not a GGUF
 * file, or a size that is no size), `chat/out-of-memory`, or the reason of an abort.
 */
export async function openLlamaEngine(options: LlamaCppOptions): Promise<LlamaEngine> {
  const { signal } = options
  signal?.throwIfAborted()
  const loading = loadEngine(options)
  if (signal === undefined) return loading
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    // The engine looks at its signal now and then only, and while it starts not at all.
    return await Promise.race([loading, aborted])
  } catch (error) {
    if (!signal.aborted) throw error
    loading.then(
      (engine) => engine.dispose(),
      () => undefined,
    )
    throw signal.reason
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

async function loadEngine(options: LlamaCppOptions): Promise<LlamaEngine> {
  const started = performance.now()
  const { modelPath, signal } = options
  checkCount('contextSize', options.contextSize, 256)
  checkCount('threads', options.threads, 1)
  await checkModelFile(modelPath)
  const module = await importLlama()
  const llama = await startLlamaBackend(module, options.gpu ?? false)
  signal?.throwIfAborted()
  const wanted = options.contextSize ?? 8192
  const stopping = signal === undefined ? {} : { loadSignal: signal }
  const model = await llama.loadModel({ modelPath, ...stopping }).catch(async (cause: unknown) => {
    throw await loadError(cause, { module, modelPath, contextSize: wanted })
  })
  const contextSize = Math.min(wanted, model.trainContextSize)
  try {
    const sequence = await openSequence(model, contextSize, options.threads ?? availableParallelism())
    const chatWrapper = adaptChatWrapper(module.resolveChatWrapper(model))
    return {
      id: `llama/${basename(modelPath).replace(/\.gguf$/i, '')}`,
      module,
      llama,
      model,
      sequence,
      chat: new module.LlamaChat({ contextSequence: sequence, chatWrapper }),
      contextSize,
      loadMs: performance.now() - started,
      dispose: () => model.dispose(),
    }
  } catch (cause) {
    await model.dispose()
    throw await loadError(cause, { module, modelPath, contextSize })
  }
}

async function openSequence(
  model: LlamaModel,
  contextSize: number,
  threads: number,
): Promise<LlamaContextSequence> {
  const context = await model.createContext({
    contextSize,
    sequences: 1,
    // Never the engine's default: it takes four threads on two cores, where each token then takes many times longer.
    threads,
    // Shrinking the window in silence would break what `contextWindow` promises.
    failedCreationRemedy: false,
  })
  return context.getSequence()
}

function checkCount(name: string, value: number | undefined, minimum: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= minimum)) return
  throw new ChatModelError({
    code: 'chat/bad-option',
    what: `The model was not loaded: ${name} is ${value}.`,
    why: `${name} is a whole number of at least ${minimum}.`,
    instead: `Set ${name} to ${minimum} or more, or leave it out.`,
  })
}
