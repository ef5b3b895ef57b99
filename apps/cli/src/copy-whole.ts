import { constants } from 'node:fs'
import { copyFile, lstat, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { makeFolder, writeError } from '@icm/safe-files'

const stagingPrefix = '.icm-init-'

/** Whether a name is that of a folder that a killed copy left behind. */
export function isStaging(name: string): boolean {
  return name.startsWith(stagingPrefix)
}

/**
 * Copies a folder to `target`, which does not exist or is empty, and returns the number of files. All or nothing:
 * the files are copied beside their place first (into it, where the folder is there already) and then renamed, so a
 * full disk, an abort or a fault leaves everything as it was. Throws like `writeFileAtomically`, and `signal.reason`.
 */
export async function copyWhole(source: string, target: string, signal: AbortSignal): Promise<number> {
  const isThere = await exists(target)
  const parent = isThere ? target : dirname(target)
  const staging = join(parent, `${stagingPrefix}${process.pid}`)
  const made = await missingFolders(parent)
  try {
    await makeFolder(parent)
    await removeStaging(parent)
    await makeFolder(staging)
    const files = await copyFiles(source, staging, signal)
    if (isThere) await moveEntries(staging, target)
    else await rename(staging, target).catch(refuse(target))
    return files
  } catch (error) {
    await rm(staging, { recursive: true, force: true }).catch(() => undefined)
    // Without force: a folder that somebody else has put something into meanwhile stays.
    for (const folder of made) await rmdir(folder).catch(() => undefined)
    throw error
  } finally {
    if (isThere) await rm(staging, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** The folders that must be made for a path to be there, the innermost first. */
async function missingFolders(path: string): Promise<readonly string[]> {
  if (dirname(path) === path || (await exists(path))) return []
  return [path, ...(await missingFolders(dirname(path)))]
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
}

/** What a killed copy left; one that is running now has its process. */
async function removeStaging(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter(isStaging)) {
    const pid = Number(/\d+/.exec(name)?.[0])
    if (!isAlive(pid)) await rm(join(folder, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function copyFiles(source: string, target: string, signal: AbortSignal): Promise<number> {
  let files = 0
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    signal.throwIfAborted()
    if (!entry.isFile()) continue
    const from = join(entry.parentPath, entry.name)
    // npm leaves .gitignore files out of packages, so the template carries it under another name.
    const to = join(target, relative(source, from)).replace(/_gitignore$/, '.gitignore')
    await makeFolder(dirname(to))
    await copyFile(from, to, constants.COPYFILE_EXCL).catch(refuse(to))
    files++
  }
  return files
}

/** A rename needs hardly any room, but it may fail too: then what was moved goes back. */
async function moveEntries(from: string, to: string): Promise<void> {
  const moved: string[] = []
  try {
    for (const name of await readdir(from)) {
      await rename(join(from, name), join(to, name)).catch(refuse(join(to, name)))
      moved.push(name)
    }
  } catch (error) {
    for (const name of moved) await rename(join(to, name), join(from, name)).catch(() => undefined)
    throw error
  }
}

function refuse(path: string): (cause: unknown) => never {
  return (cause) => {
    throw writeError(path, cause)
  }
}
