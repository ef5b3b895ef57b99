import { lstat, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { inTheWay, type SafeFilesError } from './errors.js'

/**
 * What stands at `path`, or above it, so that no file (or folder) can be made or kept there; undefined when nothing
 * does. A file (or folder) that is there already is no obstacle. Reads only; links are followed.
 */
export async function findObstacle(
  path: string,
  wanted: 'file' | 'folder' = 'file',
): Promise<SafeFilesError | undefined> {
  for (let place = path; ; place = dirname(place)) {
    const link = await lstat(place).catch(() => undefined)
    if (link !== undefined) {
      const found = await stat(place).catch(() => undefined)
      if (found === undefined) return inTheWay(path, place, 'a symbolic link that leads nowhere')
      const fits = place === path && wanted === 'file' ? found.isFile() : found.isDirectory()
      return fits ? undefined : inTheWay(path, place, kindOf(found))
    }
    if (dirname(place) === place) return undefined
  }
}

function kindOf(found: { isFile(): boolean; isDirectory(): boolean }): string {
  if (found.isDirectory()) return 'a folder'
  return found.isFile() ? 'a file' : 'a device or a pipe'
}
