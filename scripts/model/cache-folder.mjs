import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Where model files lie: `icm/models` in the XDG cache folder, on Windows in LOCALAPPDATA. `icm` looks there too.
 * @param {NodeJS.ProcessEnv} [env]
 */
export function modelCacheFolder(env = process.env) {
  const windows = process.platform === 'win32' ? env.LOCALAPPDATA : undefined
  const cache = env.XDG_CACHE_HOME || windows || join(env.HOME || homedir(), '.cache')
  return join(cache, 'icm', 'models')
}
