import { stat } from 'node:fs/promises'
import type { Configuration } from '../config.js'
import { ggufFault } from '../gguf-fault.js'
import { cachedModelFiles, modelCacheFolder } from '../model-cache.js'
import { expectNativeWork } from '../native-exit.js'
import type { Finding } from './finding.js'

/** Is the embedded engine installed, and is there a model file for it? */
export async function checkLlama(
  configuration: Configuration,
  env: NodeJS.ProcessEnv,
): Promise<readonly Finding[]> {
  const { llamaProblem } = await import('@icm/chat-model/llama')
  expectNativeWork()
  const problem = await llamaProblem()
  const name = 'embedded engine'
  const engine: Finding =
    problem === undefined
      ? { name, state: 'ok', text: 'node-llama-cpp is installed and starts' }
      : { name, state: 'fault', optional: true, text: `${problem.what} ${problem.why}`, fix: problem.instead }
  const file = await checkFile(configuration, env)
  return [engine, problem === undefined ? file : { ...file, ready: false }]
}

async function checkFile(configuration: Configuration, env: NodeJS.ProcessEnv): Promise<Finding> {
  const name = 'model file'
  const named = env.ICM_MODEL_PATH || configuration.model.modelPath
  const path = named === undefined || named === '' ? (await cachedModelFiles(env))[0] : named
  if (path !== undefined) {
    const fault = await ggufFault(path)
    if (fault === undefined)
      return { name, state: 'ok', ready: true, text: `${path} (${gigabytes((await stat(path)).size)})` }
    const fix = path === named ? 'mend ICM_MODEL_PATH or [model] model_path' : 'remove it and fetch it again'
    return { name, state: 'fault', text: `${path} ${fault}`, fix }
  }
  return {
    name,
    state: 'fault',
    optional: true,
    text: `none named, and none in ${modelCacheFolder(env) ?? 'a cache, for there is no home folder'}`,
    fix: 'set ICM_MODEL_PATH to a GGUF file, or use Ollama',
  }
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(2)} GB`
}
