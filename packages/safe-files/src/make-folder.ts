import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemErrorCode, writeError } from './errors.js'

/**
 * Makes a folder with its parents; one that is there is fine. Throws like `writeFileAtomically`.
 *
 * Node's recursive mkdir reports ENOENT on a read-only file system; the folder is tried again by itself then, so
 * that the error names the true cause.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true })
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT' || dirname(path) === path) throw writeError(path, error)
    await makeFolder(dirname(path))
    await mkdir(path).catch((cause: unknown) => {
      if (systemErrorCode(cause) !== 'EEXIST') throw writeError(path, cause)
    })
  }
}
