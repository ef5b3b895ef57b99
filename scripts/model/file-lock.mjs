import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ModelFileError, writeError } from './model-file-error.mjs'

/**
 * Runs `work` while no other process of this machine does the same for this file. Throws `busy` when one does; a lock
 * that a dead process left is taken over.
 * @template Result
 * @param {string} path the file that is worked on; the lock is `<path>.lock`
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function withFileLock(path, work) {
  const lock = `${path}.lock`
  try {
    await mkdir(dirname(lock), { recursive: true })
    if (!(await take(lock))) {
      const owner = Number(await readFile(lock, 'utf8').catch(() => ''))
      if (isAlive(owner)) {
        throw new ModelFileError(
          'busy',
          `Process ${owner} is already fetching ${path}. Wait for it, or end it.`,
        )
      }
      await rm(lock, { force: true })
      if (!(await take(lock)))
        throw new ModelFileError('busy', `Another process is already fetching ${path}.`)
    }
  } catch (error) {
    throw writeError(error, lock)
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

/** @param {string} lock */
async function take(lock) {
  try {
    const file = await open(lock, 'wx')
    await file.writeFile(String(process.pid))
    await file.close()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** @param {number} pid */
function isAlive(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, but belongs to someone else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
