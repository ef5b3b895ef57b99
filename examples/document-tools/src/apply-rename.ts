import { createHash } from 'node:crypto'
import { link, lstat, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { resolveContained, systemErrorCode, writeFileAtomically } from '@icm/safe-files'
import { DocumentToolsError } from './errors.js'
import type { Renaming } from './rename-plan.js'

const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Where the old names of a plan are kept. */
export function undoFileOf(stateFolder: string, plan: readonly Renaming[]): string {
  const hash = createHash('sha256').update(JSON.stringify(plan)).digest('hex').slice(0, 8)
  return join(stateFolder, 'renames', `${hash}.json`)
}

/**
 * Renames the files of a plan one by one; the old names are on disk before the first one. Nothing is ever replaced.
 * Throws `document/rename-stopped` with the number of files that were renamed before one could not be.
 */
export async function applyRename(
  root: string,
  plan: readonly Renaming[],
  { undoFile, signal }: { readonly undoFile: string; readonly signal?: AbortSignal },
): Promise<void> {
  await writeFileAtomically(undoFile, `${JSON.stringify(plan, null, 2)}\n`)
  for (const [done, { from, to }] of plan.entries()) {
    try {
      signal?.throwIfAborted()
      await moveFile(await resolveContained(root, from), await resolveContained(root, to))
    } catch (error) {
      throw stopped({ done, total: plan.length, from, undoFile }, error)
    }
  }
}

/**
 * Gives the files of an undo file their old names back, and returns how many. Files that are no longer where the rename
 * put them, or whose old name is taken, are left alone.
 */
export async function undoRename(root: string, undoFile: string): Promise<number> {
  const plan = JSON.parse(await readFile(undoFile, 'utf8')) as readonly Renaming[]
  let undone = 0
  for (const { from, to } of plan) {
    const paths = [await resolveContained(root, to), await resolveContained(root, from)] as const
    try {
      await moveFile(...paths)
      undone++
    } catch (error) {
      if (!['ENOENT', 'EEXIST'].includes(systemErrorCode(error) ?? '')) throw error
    }
  }
  return undone
}

/** A link fails where the new name is taken; a plain rename would replace that file. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!NO_HARD_LINKS.has(systemErrorCode(error) ?? '')) throw error
    const isTaken = await lstat(to).then(
      () => true,
      () => false,
    )
    if (isTaken) throw Object.assign(error as object, { code: 'EEXIST' })
    return rename(from, to)
  }
  await unlink(from)
}

interface Stop {
  readonly done: number
  readonly total: number
  readonly from: string
  readonly undoFile: string
}

function stopped({ done, total, from, undoFile }: Stop, cause: unknown): DocumentToolsError {
  return new DocumentToolsError(
    {
      code: 'document/rename-stopped',
      what: `${done} of ${total} files were renamed; ${from} was not, nor what follows it.`,
      why: `The system said ${systemErrorCode(cause) ?? 'that the time is up'}.`,
      instead: `Call find_documents to see the names as they are; the old ones are in ${undoFile}.`,
      details: { done, total },
    },
    { cause },
  )
}
