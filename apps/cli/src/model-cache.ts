import { readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where downloaded model files lie: `icm/models` in the XDG cache folder (Windows: in LOCALAPPDATA). */
export function modelCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const windows = process.platform === 'win32' ? env.LOCALAPPDATA : undefined
  const cache = env.XDG_CACHE_HOME || windows || join(env.HOME || homedir(), '.cache')
  return join(cache, 'icm', 'models')
}

/** Whole model files in the cache, the largest first; downloads in progress (`.part`) are none. */
export async function cachedModelFiles(env: NodeJS.ProcessEnv = process.env): Promise<readonly string[]> {
  const folder = modelCacheFolder(env)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.gguf'))
  const files = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), size: (await stat(join(folder, name))).size })),
  )
  return files.sort((left, right) => right.size - left.size).map((file) => file.path)
}
