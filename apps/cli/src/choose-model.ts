import { stat } from 'node:fs/promises'
import type { ChatModel } from '@icm/chat-model'
import type { Configuration } from './config.js'
import { CliError } from './errors.js'
import { cachedModelFiles, modelCacheFolder } from './model-cache.js'

export interface ModelWishes {
  readonly provider?: string
  readonly model?: string
  readonly host?: string
}

export interface ChosenModel {
  readonly model: ChatModel
  /** One line for the banner: which model, where. */
  readonly description: string
  /** Why this one. */
  readonly why: string
  close(): Promise<void>
}

/** A model that could be used, before it is opened. */
export type ModelChoice =
  | { readonly provider: 'ollama'; readonly name: string; readonly host: string; readonly why: string }
  | { readonly provider: 'llama'; readonly path: string; readonly why: string }

const reachableWithinMs = 1_500

/**
 * Finds the model to use: flags win over the configuration. `auto` takes an Ollama that answers with a tool-capable
 * model, then the GGUF that `ICM_MODEL_PATH` or the configuration names, then the largest cached file. Nothing is
 * downloaded. Throws `cli/no-model` with everything that was tried, in order, and the command that helps most.
 */
export async function findModel(
  configuration: Configuration,
  wishes: ModelWishes,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ModelChoice> {
  const provider = providerOf(wishes.provider ?? configuration.model.provider)
  const tried: string[] = []
  if (provider !== 'llama') {
    const host = wishes.host ?? (env.OLLAMA_HOST || configuration.model.host)
    const found = await findOnOllama(configuration, wishes, host, tried)
    if (found !== undefined) return found
  }
  if (provider !== 'ollama') {
    const found = await findFile(configuration, wishes, env, tried)
    if (found !== undefined) return found
  }
  throw noModel(tried, provider, wishes.model ?? configuration.model.name)
}

/** Opens a chosen model. The embedded engine loads its file here, Ollama with the first request. */
export async function openModel(choice: ModelChoice, configuration: Configuration): Promise<ChosenModel> {
  const { contextWindow, thinking } = configuration.model
  if (choice.provider === 'ollama') {
    const { ollama, showOllamaModel } = await import('@icm/chat-model/ollama')
    // Known before the first request: a stage that does not fit must be refused before it starts.
    const { contextLength } = await showOllamaModel({ host: choice.host, model: choice.name })
    const window = Math.min(contextWindow, contextLength ?? contextWindow)
    const model = ollama({ model: choice.name, host: choice.host, think: thinking, contextWindow: window })
    const description = `${choice.name} on Ollama at ${choice.host}`
    return { model, description, why: choice.why, close: async () => undefined }
  }
  const { llamaCpp } = await import('@icm/chat-model/llama')
  const model = await llamaCpp({ modelPath: choice.path, contextSize: contextWindow })
  const description = `${choice.path.split(/[\\/]/).at(-1)} in the embedded engine (llama.cpp)`
  return { model, description, why: choice.why, close: async () => model[Symbol.asyncDispose]() }
}

function providerOf(name: string): 'auto' | 'ollama' | 'llama' {
  if (name === 'auto' || name === 'ollama' || name === 'llama') return name
  throw new CliError({
    code: 'cli/usage',
    what: `The provider "${name}" was not used.`,
    why: 'There is no such provider.',
    instead: 'Give one of: auto, ollama, llama.',
  })
}

async function findOnOllama(
  configuration: Configuration,
  wishes: ModelWishes,
  wantedHost: string | undefined,
  tried: string[],
): Promise<ModelChoice | undefined> {
  const { isOllamaReachable, listOllamaModels, normalizeOllamaHost, showOllamaModel } = await import(
    '@icm/chat-model/ollama'
  )
  const url = normalizeOllamaHost(wantedHost)
  const host = url.host
  const at = wantedHost === undefined ? {} : { host: wantedHost }
  if ((await isOllamaReachable({ ...at, timeoutMs: reachableWithinMs })) === undefined) {
    tried.push(`Ollama at ${host}: no answer`)
    return undefined
  }
  const models = await listOllamaModels(at)
  const names = models.map((model) => model.name)
  const explicit = wishes.model ?? (configuration.model.nameIsExplicit ? configuration.model.name : undefined)
  const wanted = explicit ?? configuration.model.name
  const found = names.find((name) => name === wanted || name === `${wanted}:latest`)
  if (found !== undefined)
    return {
      provider: 'ollama',
      name: found,
      host: url.href,
      why:
        explicit === undefined
          ? `Ollama answers and has ${found}, the default model`
          : `${found} was asked for, and Ollama has it`,
    }
  if (explicit !== undefined) {
    tried.push(
      `Ollama at ${host}: it does not have ${wanted}${names.length === 0 ? ', nor any other model' : ` (it has ${names.join(', ')})`}`,
    )
    return undefined
  }
  for (const name of names) {
    const details = await showOllamaModel({ ...at, model: name })
    if (details.capabilities.includes('tools')) {
      return {
        provider: 'ollama',
        name,
        host: url.href,
        why: `Ollama answers; ${wanted} is not there, ${name} is the first of its models that can call tools`,
      }
    }
  }
  tried.push(
    `Ollama at ${host}: ${names.length === 0 ? 'it has no models' : `none of its models can call tools (${names.join(', ')})`}`,
  )
  return undefined
}

async function findFile(
  configuration: Configuration,
  wishes: ModelWishes,
  env: NodeJS.ProcessEnv,
  tried: string[],
): Promise<ModelChoice | undefined> {
  const wanted = wishes.model ?? (configuration.model.nameIsExplicit ? configuration.model.name : undefined)
  if (wishes.model?.endsWith('.gguf')) {
    if (await isFile(wishes.model)) return { provider: 'llama', path: wishes.model, why: '--model names it' }
    tried.push(`the model file of --model: ${wishes.model} is not there`)
    return undefined
  }
  const named = [
    { path: env.ICM_MODEL_PATH, source: 'ICM_MODEL_PATH' },
    { path: configuration.model.modelPath, source: '[model] model_path' },
  ]
  for (const { path, source } of named) {
    if (path === undefined || path === '') {
      if (source === 'ICM_MODEL_PATH') tried.push('a model file named by ICM_MODEL_PATH: not set')
    } else if (!(await isFile(path))) {
      tried.push(`the model file of ${source}: ${path} is not there`)
    } else if (source === 'ICM_MODEL_PATH' && wishes.model !== undefined && !fits(path, wishes.model)) {
      tried.push(`the model file of ${source}: ${path} is not ${wishes.model}`)
    } else {
      return { provider: 'llama', path, why: `${source} names it` }
    }
  }
  const cached = await cachedModelFiles(env)
  const [file] = wanted === undefined ? cached : cached.filter((path) => fits(path, wanted))
  if (file !== undefined)
    return { provider: 'llama', path: file, why: 'no Ollama is used, and this file is in the model cache' }
  const found = cached.length === 0 ? 'empty' : `none of its files is ${wanted}`
  tried.push(`the model cache ${modelCacheFolder(env)}: ${found}`)
  return undefined
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (file) => file.isFile(),
    () => false,
  )
}

/** Whether a file's name says that it is the model: it begins with the model's name. */
function fits(path: string, model: string): boolean {
  return fileKey(path.split(/[\\/]/).at(-1) ?? '').startsWith(fileKey(model))
}

/** `qwen2.5-coder:0.5b` and `qwen2.5-coder-0.5b-instruct-q4_k_m.gguf` begin alike once punctuation is folded. */
function fileKey(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9.]+/g, '-')
}

function noModel(tried: readonly string[], provider: string, name: string): CliError {
  const instead = tried.some((line) => line.includes('no answer'))
    ? `Start Ollama ("ollama serve") and pull a model ("ollama pull ${name}"); or set ICM_MODEL_PATH to a GGUF file.`
    : `Run "ollama pull ${name}", or set ICM_MODEL_PATH to a GGUF file.`
  return new CliError({
    code: 'cli/no-model',
    what: `No model was found. Tried, in order: ${tried.join('; ')}.`,
    why:
      provider === 'auto'
        ? 'A stage needs a chat model, and icm downloads none by itself.'
        : `Only ${provider} was allowed.`,
    instead,
    details: { tried: [...tried] },
  })
}
