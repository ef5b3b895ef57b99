import type { ChatModel } from '@icm/chat-model'
import type { Configuration } from './config.js'
import { CliError } from './errors.js'
import { fileCandidates } from './file-candidates.js'
import { type ModelChoice, type ModelSearch, type ModelWishes, noteFailure } from './model-search.js'
import { expectNativeWork } from './native-exit.js'
import { catalogWithinMs, ollamaCandidates } from './ollama-candidates.js'
import { shellWord } from './shell-word.js'

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

export interface ChooseModelOptions {
  /** Default `process.env`. */
  readonly env?: NodeJS.ProcessEnv
  readonly signal?: AbortSignal
  /** Candidates that this refuses are passed over without a word. */
  readonly accepts?: (choice: ModelChoice) => boolean
}

/**
 * Finds and opens the model to use: flags win over the configuration. `auto` takes an Ollama that answers with a
 * tool-capable model, then the GGUF that `ICM_MODEL_PATH` or the configuration names, then the largest cached file;
 * one that cannot be opened makes room for the next. Nothing is downloaded. Throws `cli/no-model` with everything
 * that was tried, in order, and the command that helps most, and the reason of an abort.
 */
export async function chooseModel(
  configuration: Configuration,
  wishes: ModelWishes,
  options: ChooseModelOptions = {},
): Promise<ChosenModel> {
  const { env = process.env, signal, accepts = () => true } = options
  const provider = providerOf(wishes.provider ?? configuration.model.provider)
  const search: ModelSearch = {
    configuration,
    wishes,
    env,
    tried: [],
    failures: [],
    ...(signal === undefined ? {} : { signal }),
  }
  for await (const choice of candidates(provider, search)) {
    if (!accepts(choice)) continue
    try {
      const opened = await openModel(choice, configuration, options)
      return { ...opened, warnings: search.failures.map(({ text }) => text) }
    } catch (error) {
      noteFailure(search, placeOf(choice), error)
    }
  }
  throw noModel(search, provider)
}

/** Opens one model. The embedded engine loads its file here, Ollama with the first request. Throws `ChatModelError`. */
export async function openModel(
  choice: ModelChoice,
  configuration: Configuration,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<ChosenModel> {
  const { contextWindow, thinking } = configuration.model
  const stopping = signal === undefined ? {} : { signal }
  if (choice.provider === 'ollama') {
    const { name, host, why } = choice
    const { ollama, showOllamaModel } = await import('@icm/chat-model/ollama')
    // Known before the first request: a stage that does not fit must be refused before it starts.
    const limits = { totalTimeoutMs: catalogWithinMs }
    const { contextLength } = await showOllamaModel({ host, model: name, limits, ...stopping })
    const window = Math.min(contextWindow, contextLength ?? contextWindow)
    const model = ollama({ model: name, host, think: thinking, contextWindow: window })
    return {
      model,
      description: `${name} on Ollama at ${host}`,
      why,
      warnings: [],
      close: async () => undefined,
    }
  }
  const { llamaCpp } = await import('@icm/chat-model/llama')
  expectNativeWork()
  const model = await llamaCpp({ modelPath: choice.path, contextSize: contextWindow, ...stopping })
  const description = `${choice.path.split(/[\\/]/).at(-1)} in the embedded engine (llama.cpp)`
  return {
    model,
    description,
    why: choice.why,
    warnings: [],
    close: async () => model[Symbol.asyncDispose](),
  }
}

type Provider = Configuration['model']['provider']

async function* candidates(provider: Provider, search: ModelSearch): AsyncGenerator<ModelChoice, void, void> {
  if (provider !== 'llama') yield* ollamaCandidates(search)
  if (provider !== 'ollama') yield* fileCandidates(search)
}

function placeOf(choice: ModelChoice): string {
  return choice.provider === 'ollama'
    ? `Ollama at ${new URL(choice.host).host}, model ${choice.name}`
    : `the model file ${choice.path}`
}

function providerOf(name: string): Provider {
  if (name === 'auto' || name === 'ollama' || name === 'llama') return name
  throw new CliError({
    code: 'cli/usage',
    what: `The provider "${name}" was not used.`,
    why: 'There is no such provider.',
    instead: 'Give one of: auto, ollama, llama.',
  })
}

function noModel({ tried, failures, wishes, configuration }: ModelSearch, provider: Provider): CliError {
  return new CliError({
    code: 'cli/no-model',
    what: `No model was found. Tried, in order: ${tried.join('; ')}.`,
    why:
      provider === 'auto'
        ? 'A stage needs a chat model, and icm downloads none by itself.'
        : `Only ${provider} was allowed.`,
    // What is there and fails is nearer to working than what is not there at all.
    instead: failures[0]?.instead ?? adviceFor(wishes.model ?? configuration.model.name, tried),
    details: { tried: [...tried] },
  })
}

function adviceFor(name: string, tried: readonly string[]): string {
  if (name.endsWith('.gguf')) return 'Give --model the path of a GGUF file that is there.'
  const pull = `ollama pull ${shellWord(name)}`
  return tried.some((line) => line.includes('no answer'))
    ? `Start Ollama ("ollama serve") and pull a model ("${pull}"); or set ICM_MODEL_PATH to a GGUF file.`
    : `Run "${pull}", or set ICM_MODEL_PATH to a GGUF file.`
}
