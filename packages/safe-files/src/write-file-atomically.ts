import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemErrorCode, writeError } from './errors.js'
import { makeFolder } from './make-folder.js'

let counter = 0

/**
 * Writes a file so that a reader, or a kill at any moment, sees the old content or the new one, never a half:
 * temporary file in the same folder, fsync, rename, fsync of the folder. Makes missing parent folders and keeps
 * the permissions of a file that is replaced. A symbolic link at `path` is replaced, not followed.
 *
 * Throws `file/disk-full`, `file/read-only` or `file/write-failed`; the old content is then still there.
 */
export async function writeFileAtomically(path: string, data: string | Uint8Array): Promise<void> {
  const folder = dirname(path)
  const temporary = join(folder, `.${basename(path)}.${process.pid}-${counter++}.tmp`)
  await makeFolder(folder)
  try {
    const mode = await stat(path).then(
      (old) => old.mode & 0o777,
      () => 0o666,
    )
    const file = await open(temporary, 'wx', mode)
    try {
      await file.writeFile(data)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
    await syncFolder(folder)
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw writeError(path, cause)
  }
}

/**
 * Removes temporary files that killed processes of this machine left in a folder; those of living ones stay. Returns
 * the names removed; a folder that is not there has none.
 */
export async function removeStaleTemporaries(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  const stale = names.filter((name) => {
    const pid = /^\..+\.(\d+)-\d+\.tmp$/.exec(name)?.[1]
    return pid !== undefined && !isAlive(Number(pid))
  })
  await Promise.all(stale.map((name) => rm(join(folder, name), { force: true })))
  return stale
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemErrorCode(error) !== 'ESRCH'
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder and some network file systems cannot sync one: the rename itself has happened.
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
