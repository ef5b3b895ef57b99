import { stat } from 'node:fs/promises'
import type { Configuration } from '../config.js'
import { cachedModelFiles, modelCacheFolder } from '../model-cache.js'
import type { Finding } from './finding.js'

/** Is the embedded engine installed, and is there a model file for it? */
export async function checkLlama(
  configuration: Configuration,
  env: NodeJS.ProcessEnv,
): Promise<readonly Finding[]> {
  const { isLlamaInstalled } = await import('@icm/chat-model/llama')
  const installed = await isLlamaInstalled()
  const engine: Finding = installed
    ? { name: 'embedded engine', state: 'ok', text: 'node-llama-cpp is installed' }
    : {
        name: 'embedded engine',
        state: 'fault',
        optional: true,
        text: 'node-llama-cpp is not installed',
        fix: 'npm install node-llama-cpp',
      }
  const file = await checkFile(configuration, env)
  return [engine, installed ? file : { ...file, ready: false }]
}

async function checkFile(configuration: Configuration, env: NodeJS.ProcessEnv): Promise<Finding> {
  const name = 'model file'
  const named = env.ICM_MODEL_PATH || configuration.model.modelPath
  if (named !== undefined && named !== '') {
    const size = await stat(named).then(
      (file) => file.size,
      () => undefined,
    )
    if (size !== undefined) return { name, state: 'ok', ready: true, text: `${named} (${gigabytes(size)})` }
    return {
      name,
      state: 'fault',
      text: `${named} is not there`,
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
    text: `none named, and none in ${modelCacheFolder(env)}`,
    fix: 'set ICM_MODEL_PATH to a GGUF file, or use Ollama',
  }
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(2)} GB`
}
