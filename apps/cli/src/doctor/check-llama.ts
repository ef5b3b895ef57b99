import { stat } from 'node:fs/promises'
import type { Configuration } from '../config.js'
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
  if (named !== undefined && named !== '') {
    const found = await stat(named).catch(() => undefined)
    if (found?.isFile())
      return { name, state: 'ok', ready: true, text: `${named} (${gigabytes(found.size)})` }
    return {
      name,
      state: 'fault',
      text: `${named} is ${found === undefined ? 'not there' : 'not a file'}`,
      fix: 'mend ICM_MODEL_PATH or [model] model_path',
    }
  }
  const [cached] = await cachedModelFiles(env)
  if (cached !== undefined)
    return { name, state: 'ok', ready: true, text: `${cached} (${gigabytes((await stat(cached)).size)})` }
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
