import { ggufFault } from './gguf-fault.js'
import { cachedModelFiles, modelCacheFolder } from './model-cache.js'
import { type ModelChoice, type ModelSearch, namedModel } from './model-search.js'

/**
 * The model files that may be used: the one of `--model` and no other; else those that `ICM_MODEL_PATH` and the
 * configuration name, then those of the cache that fit a named model, the largest first.
 */
export async function* fileCandidates(search: ModelSearch): AsyncGenerator<ModelChoice, void, void> {
  const { configuration, env, failures, tried, wishes } = search
  if (wishes.model?.endsWith('.gguf')) {
    const fault = await ggufFault(wishes.model)
    if (fault === undefined) yield { provider: 'llama', path: wishes.model, why: '--model names it' }
    else tried.push(`the model file of --model: ${wishes.model} ${fault}`)
    return
  }
  const named = [
    { path: env.ICM_MODEL_PATH, source: 'ICM_MODEL_PATH' },
    { path: configuration.model.modelPath, source: '[model] model_path' },
  ]
  for (const { path, source } of named) {
    if (path === undefined || path === '') {
      if (source === 'ICM_MODEL_PATH') tried.push('a model file named by ICM_MODEL_PATH: not set')
      continue
    }
    const fault = await ggufFault(path)
    if (fault !== undefined) {
      const text = `the model file of ${source}: ${path} ${fault}`
      tried.push(text)
      failures.push({ text, instead: `Give ${source} the path of a GGUF file, or take it away.` })
    } else if (source === 'ICM_MODEL_PATH' && wishes.model !== undefined && !fits(path, wishes.model)) {
      tried.push(`the model file of ${source}: ${path} is not ${wishes.model}`)
    } else yield { provider: 'llama', path, why: `${source} names it` }
  }
  const folder = modelCacheFolder(env)
  if (folder === undefined) {
    tried.push('the model cache: this user has no home folder (set HOME or XDG_CACHE_HOME)')
    return
  }
  const wanted = namedModel(search)
  const cached = await cachedModelFiles(env)
  const fitting = wanted === undefined ? cached : cached.filter((path) => fits(path, wanted))
  for (const path of fitting)
    yield { provider: 'llama', path, why: 'no Ollama is used, and this file is in the model cache' }
  const there = cached.map((path) => path.split(/[\\/]/).at(-1)).join(', ')
  const found = cached.length === 0 ? 'empty' : `none of its files is ${wanted} (it has ${there})`
  if (fitting.length === 0) tried.push(`the model cache ${folder}: ${found}`)
}

/** Whether a file's name says that it is the model: it begins with the model's name. */
function fits(path: string, model: string): boolean {
  return fileKey(path.split(/[\\/]/).at(-1) ?? '').startsWith(fileKey(model))
}

/** `qwen2.5-coder:0.5b` and `qwen2.5-coder-0.5b-instruct-q4_k_m.gguf` begin alike once punctuation is folded. */
function fileKey(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9.]+/g, '-')
}
