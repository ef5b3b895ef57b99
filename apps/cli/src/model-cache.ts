import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { homeFolder } from './home-folder.js'

/**
 * Where downloaded model files lie: `icm/models` in the XDG cache folder (Windows: in LOCALAPPDATA). Undefined for a
 * user without a home.
 */
export function modelCacheFolder(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const windows = process.platform === 'win32' ? env.LOCALAPPDATA : undefined
  const home = homeFolder(env)
  const cache = env.XDG_CACHE_HOME || windows || (home === undefined ? undefined : join(home, '.cache'))
  return cache === undefined ? undefined : join(cache, 'icm', 'models')
}

/** Whole model files in the cache, the largest first; downloads in progress (`.part`) and dead links are none. */
export async function cachedModelFiles(env: NodeJS.ProcessEnv = process.env): Promise<readonly string[]> {
  const folder = modelCacheFolder(env)
  if (folder === undefined) return []
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.gguf'))
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const found = await stat(path).catch(() => undefined)
      return found?.isFile() ? [{ path, size: found.size }] : []
    }),
  )
  return files
    .flat()
    .sort((left, right) => right.size - left.size)
    .map((file) => file.path)
}
