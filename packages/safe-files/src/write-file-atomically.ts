import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemErrorCode, writeError } from './errors.js'
import { makeFolder } from './make-folder.js'

/**
 * Writes a file so that a reader, or a kill at any moment, sees the old content or the new one, never a half:
 * temporary file in the same folder, fsync, rename, fsync of the folder. Makes missing parent folders and keeps
 * the permissions of a file that is replaced. A symbolic link at `path` is replaced, not followed.
 *
 * `exclusive`: never replaces anything; throws `file/exists` when something is there already, also when it appeared
 * in the meantime. Throws `file/disk-full`, `file/read-only`, `file/in-the-way` or `file/write-failed`; the old content is
 * then still there.
 */
export async function writeFileAtomically(
  path: string,
  data: string | Uint8Array,
  options: { readonly exclusive?: boolean } = {},
): Promise<void> {
  const folder = dirname(path)
  const temporary = temporaryName(path)
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
    if (options.exclusive === true) await linkExclusively(temporary, path)
    else await rename(temporary, path)
    await syncFolder(folder)
  } catch (cause) {
    throw writeError(path, cause)
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
}

/** A name beside `path` that `removeStaleTemporaries` knows; random, because a pid can come again in a container. */
export function temporaryName(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`)
}

/** Gives a file a second name, or fails with EEXIST. File systems without hard links get an exclusive copy. */
export async function linkExclusively(existing: string, path: string): Promise<void> {
  try {
    await link(existing, path)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'].includes(systemErrorCode(error) ?? '')) throw error
    await copyFile(existing, path, constants.COPYFILE_EXCL)
  }
}

/**
 * Removes temporary files that killed processes of this machine left in a folder; those of living ones stay. Returns
 * the names removed; a folder that is not there has none.
 */
export async function removeStaleTemporaries(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  const stale = names.filter((name) => {
    const pid = /^\..+\.(\d+)-[0-9a-f]+\.tmp$/.exec(name)?.[1]
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
