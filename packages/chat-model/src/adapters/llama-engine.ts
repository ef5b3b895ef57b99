import { open, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import type { Llama, LlamaChat, LlamaContextSequence, LlamaModel } from 'node-llama-cpp'
import { ChatModelError } from '../errors.js'
import { adaptChatWrapper } from './llama-functions.js'
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
 * file, or a size that is no size) or `chat/out-of-memory`.
 */
export async function openLlamaEngine(options: LlamaCppOptions): Promise<LlamaEngine> {
  const started = performance.now()
  checkCount('contextSize', options.contextSize, 256)
  checkCount('threads', options.threads, 1)
  await checkModelFile(options.modelPath)
  const module = await importLlama()
  const llama = await startLlama(module, options.gpu ?? false)
  const model = await loading(options, () => llama.loadModel({ modelPath: options.modelPath }))
  try {
    const contextSize = Math.min(options.contextSize ?? 8192, model.trainContextSize)
    const context = await loading(options, () =>
      model.createContext({
        contextSize,
        sequences: 1,
        // The engine's own default takes four threads even on two cores, which is many times slower there.
        threads: options.threads ?? availableParallelism(),
        // Shrinking a window in silence would break what `contextWindow` promises.
        failedCreationRemedy: false,
      }),
    )
    const sequence = context.getSequence()
    const chatWrapper = adaptChatWrapper(module.resolveChatWrapper(model))
    return {
      id: `llama/${basename(options.modelPath).replace(/\.gguf$/i, '')}`,
      module,
      llama,
      model,
      sequence,
      chat: new module.LlamaChat({ contextSequence: sequence, chatWrapper }),
      contextSize: Math.min(context.contextSize, contextSize),
      loadMs: performance.now() - started,
      dispose: () => model.dispose(),
    }
  } catch (error) {
    await model.dispose()
    throw error
  }
}

const started = new Map<'auto' | false, Promise<Llama>>()

/** One backend for all models of a process: starting it takes longer than loading a small model. */
function startLlama(module: LlamaModule, gpu: 'auto' | false): Promise<Llama> {
  let llama = started.get(gpu)
  if (llama === undefined) {
    llama = module
      .getLlama({ build: 'never', gpu, logLevel: module.LlamaLogLevel.error })
      .catch((cause: unknown) => {
        started.delete(gpu)
        throw new ChatModelError(
          {
            code: 'chat/peer-missing',
            what: `The embedded engine was not started: ${messageOf(cause)}.`,
            why: 'node-llama-cpp has no prebuilt binary for this machine, and none is compiled here.',
            instead: 'Use Ollama instead, or install the @node-llama-cpp package of this platform.',
          },
          { cause },
        )
      })
    started.set(gpu, llama)
  }
  return llama
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

async function checkModelFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || !found.isFile()) {
    throw new ChatModelError({
      code: 'chat/model-missing',
      what: `The model was not loaded: ${path} is ${found === undefined ? 'not there' : 'not a file'}.`,
      why: 'The embedded engine reads one GGUF file.',
      instead: 'Give the path of a GGUF file.',
      details: { modelPath: path },
    })
  }
  const file = await open(path)
  try {
    const magic = Buffer.alloc(4)
    await file.read(magic, 0, 4, 0)
    if (magic.toString('latin1') === 'GGUF') return
  } finally {
    await file.close()
  }
  throw notLoaded(path, 'It does not begin with the bytes "GGUF", so it is no GGUF file.')
}

async function loading<Part>(options: LlamaCppOptions, load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (cause) {
    const text = messageOf(cause)
    if (
      !(cause instanceof Error && cause.name === 'InsufficientMemoryError') &&
      !/memory|alloc/i.test(text)
    ) {
      throw notLoaded(options.modelPath, `The engine said: ${text}`, cause)
    }
    const window = options.contextSize ?? 8192
    throw new ChatModelError(
      {
        code: 'chat/out-of-memory',
        what: `The model ${options.modelPath} was not loaded with a window of ${window} tokens: ${text}`,
        why: 'The weights and the window of a model have to fit into free memory together.',
        instead: `Set contextSize to ${Math.max(256, Math.floor(window / 2))}, use a smaller model, or end other programs.`,
        details: { modelPath: options.modelPath, contextSize: window },
      },
      { cause },
    )
  }
}

function notLoaded(path: string, why: string, cause?: unknown): ChatModelError {
  return new ChatModelError(
    {
      code: 'chat/bad-option',
      what: `The model was not loaded from ${path}.`,
      why,
      instead: 'Fetch the file again, and compare its size and checksum with those its publisher names.',
      details: { modelPath: path },
    },
    { cause },
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
