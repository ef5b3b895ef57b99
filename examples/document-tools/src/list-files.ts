import { readdir } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { resolveContained, systemErrorCode } from '@icm/safe-files'
import { explainFileError, type ToolContext } from '@icm/tool-registry'
import { DocumentToolsError } from './errors.js'

const REPORT_EVERY_FOLDERS = 50
/** What no person means by "my documents". */
const SKIPPED_FOLDERS = new Set(['node_modules'])

/**
 * The files below a folder of `root`, as paths relative to `root` with `/`, sorted. Names that begin with a dot and
 * symbolic links are left out, so the list never leads out of `root`.
 * Throws `path/escapes-root`, and an error with the real entries when there is no such folder.
 */
export async function listFiles(
  root: string,
  folder: string,
  { signal, onProgress }: ToolContext,
): Promise<readonly string[]> {
  const start = await resolveContained(root, folder)
  const realRoot = await resolveContained(root, '.')
  const files: string[] = []
  const waiting = [start]
  for (let done = 0; done < waiting.length; done++) {
    signal.throwIfAborted()
    if (done % REPORT_EVERY_FOLDERS === 0) onProgress?.({ done, note: `${files.length} files so far` })
    const path = waiting[done] ?? start
    const entries = await readEntries(path, { root, asked: folder, isStart: done === 0 })
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue
      const inside = `${path}${sep}${entry.name}`
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) waiting.push(inside)
      if (entry.isFile()) files.push(relative(realRoot, inside).replaceAll(sep, '/'))
    }
  }
  return files.sort()
}

async function readEntries(
  path: string,
  { root, asked, isStart }: { readonly root: string; readonly asked: string; readonly isStart: boolean },
) {
  try {
    return await readdir(path, { withFileTypes: true })
  } catch (error) {
    // A folder that was removed or locked meanwhile is no reason to show nothing of the others.
    if (!isStart) return []
    if (systemErrorCode(error) === 'ENOTDIR') throw notAFolder(asked)
    throw (await explainFileError(error, [root])) ?? error
  }
}

function notAFolder(asked: string): DocumentToolsError {
  return new DocumentToolsError({
    code: 'document/no-folder',
    what: `${asked} was not searched.`,
    why: 'It is a file.',
    instead: `Read it with read_document(path=${JSON.stringify(asked)}), or name a folder.`,
  })
}
