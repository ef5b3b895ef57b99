import { open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeError } from './errors.js'
import { findObstacle } from './find-obstacle.js'
import { makeFolder } from './make-folder.js'
import { temporaryName } from './write-file-atomically.js'

/**
 * Throws what `writeFileAtomically` would throw at these paths, before there is anything to write: a folder or a
 * broken link where a file is to be, a file where a folder is to be (also one path inside another), no right to
 * write. Makes the missing folders; leaves nothing else. Room on the disk is not looked at.
 */
export async function checkWritable(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const obstacle = await findObstacle(path)
    if (obstacle !== undefined) throw obstacle
    await makeFolder(dirname(path))
  }
  for (const path of paths) {
    // Again: the folder that one path needs may have been made where another one's file is to be.
    const obstacle = await findObstacle(path)
    if (obstacle !== undefined) throw obstacle
    await tryToCreate(path)
  }
}

async function tryToCreate(path: string): Promise<void> {
  const temporary = temporaryName(path)
  try {
    const file = await open(temporary, 'wx')
    await file.close()
  } catch (cause) {
    throw writeError(path, cause)
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
}
