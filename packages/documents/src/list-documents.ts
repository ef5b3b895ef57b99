import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of the library that can be read as text. */
export interface LibraryDocument {
  /** Relative to the library, `/` between folders on every system. */
  readonly path: string
  readonly bytes: number
  readonly modifiedMs: number
}

const documentExtension = /\.(md|markdown|txt|html?)$/i

/**
 * All documents below `root`, sorted by path. Names that begin with a dot are left out, and so are symbolic links:
 * one that stays inside would list its document twice, any other would leave the library.
 * Throws the system's error when `root` itself cannot be read; a file that vanishes meanwhile is left out.
 */
export async function listDocuments(
  root: string,
  options: { signal?: AbortSignal } = {},
): Promise<readonly LibraryDocument[]> {
  const found: LibraryDocument[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    options.signal?.throwIfAborted()
    const inside = folder === '' ? '' : `${folder}/`
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
      if (inside === '') throw error
      return []
    })
    const visible = entries.filter((entry) => !entry.name.startsWith('.'))
    const files = visible.filter((entry) => entry.isFile() && documentExtension.test(entry.name))
    const described = await Promise.all(files.map((entry) => describe(root, inside + entry.name)))
    for (const document of described) if (document !== undefined) found.push(document)
    for (const entry of visible) if (entry.isDirectory()) folders.push(inside + entry.name)
  }
  return found.sort((left, right) => (left.path < right.path ? -1 : 1))
}

async function describe(root: string, path: string): Promise<LibraryDocument | undefined> {
  const status = await stat(join(root, path)).catch(() => undefined)
  return status?.isFile() ? { path, bytes: status.size, modifiedMs: status.mtimeMs } : undefined
}
