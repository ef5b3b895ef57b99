import type { Configuration } from './config.js'
import { CliError } from './errors.js'
import { fileCandidates } from './file-candidates.js'
import {
  type KeyPlace,
  type ModelChoice,
  type ModelSearch,
  type ModelWishes,
  noteFailure,
} from './model-search.js'
import { ollamaCandidates } from './ollama-candidates.js'
import { type ChosenModel, openModel } from './open-model.js'
import { openaiCandidates } from './openai-candidates.js'
import { shellWord } from './shell-word.js'

export interface ChooseModelOptions {
  /** Default `process.env`. */
  readonly env?: NodeJS.ProcessEnv
  readonly signal?: AbortSignal
  /** Told what changes while the model is used. */
  readonly onWarning?: (text: string) => void
  /** Asked before the key of `[model] api_key_env` is read. */
  readonly requireKeyGrant?: (place: KeyPlace) => Promise<void>
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
  const { env = process.env, signal, requireKeyGrant, accepts = () => true } = options
  const provider = providerOf(wishes.provider ?? configuration.model.provider)
  const search: ModelSearch = {
    configuration,
    wishes,
    env,
    tried: [],
    failures: [],
    ...(signal === undefined ? {} : { signal }),
    ...(requireKeyGrant === undefined ? {} : { requireKeyGrant }),
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

type Provider = Configuration['model']['provider']

async function* candidates(provider: Provider, search: ModelSearch): AsyncGenerator<ModelChoice, void, void> {
  if (provider === 'openai-compatible') return yield* openaiCandidates(search)
  if (provider !== 'llama') yield* ollamaCandidates(search)
  if (provider !== 'ollama') yield* fileCandidates(search)
}

function placeOf(choice: ModelChoice): string {
  switch (choice.provider) {
    case 'ollama':
      return `Ollama at ${new URL(choice.host).host}, model ${choice.name}`
    case 'openai-compatible':
      return `the server at ${choice.baseUrl}, model ${choice.name}`
    case 'llama':
      return `the model file ${choice.path}`
  }
}

const providers = ['auto', 'ollama', 'openai-compatible', 'llama'] as const

function providerOf(name: string): Provider {
  const known = providers.find((provider) => provider === name)
  if (known !== undefined) return known
  throw new CliError({
    code: 'cli/usage',
    what: `The provider "${name}" was not used.`,
    why: 'There is no such provider.',
    instead: `Give one of: ${providers.join(', ')}.`,
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
    instead: failures[0]?.instead ?? adviceFor(provider, wishes.model ?? configuration.model.name, tried),
    details: { tried: [...tried] },
  })
}

function adviceFor(provider: Provider, name: string, tried: readonly string[]): string {
  if (provider === 'llama') return 'Set ICM_MODEL_PATH to a GGUF file, or give --model the path of one.'
  if (provider === 'openai-compatible') {
    return tried.some((line) => line.includes('no answer'))
      ? 'Start that server, or correct [model] base_url.'
      : 'Load the model on that server, or name one that is there with --model.'
  }
  if (name.endsWith('.gguf')) return 'Give --model the path of a GGUF file that is there.'
  const pull = `ollama pull ${shellWord(name)}`
  const file =
    provider === 'ollama'
      ? 'leave out --provider ollama and use a GGUF file'
      : 'set ICM_MODEL_PATH to a GGUF file'
  return tried.some((line) => line.includes('no answer'))
    ? `Start Ollama ("ollama serve") and pull a model ("${pull}"); or ${file}.`
    : `Run "${pull}", or ${file}.`
}
