import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type SafeFilesError, systemErrorCode, writeError } from './errors.js'
import { findObstacle } from './find-obstacle.js'

/**
 * Makes a folder with its parents; one that is there is fine. Throws like `writeFileAtomically`.
 *
 * Not Node's recursive mkdir: that reports ENOENT on a read-only file system instead of the cause, and never returns
 * below `/proc`.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const code = systemErrorCode(error)
    // A folder that is there may also be reported as not permitted or read-only.
    if (code !== 'ENOENT' && (await isFolder(path))) return
    if (code !== 'ENOENT' || dirname(path) === path) throw await causeOf(path, error)
    await makeFolder(dirname(path))
    await mkdir(path).catch(async (cause: unknown) => {
      if (!(await isFolder(path))) throw await causeOf(path, cause)
    })
  }
}

async function causeOf(path: string, error: unknown): Promise<SafeFilesError> {
  return (await findObstacle(path, 'folder')) ?? writeError(path, error)
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
