import { ContextLoaderError } from './errors.js'
import { withPlainFiles } from './plain-files.js'
import type { FileStamp, WorkspaceFiles } from './types.js'

/**
 * An object of absolute path → text or bytes as a store of workspace files; folders are where files are.
 * Every file is as old as the others: the latest one is the last by name. Later changes of the object are not seen.
 */
export function memoryFiles(record: { readonly [path: string]: string | Uint8Array }): WorkspaceFiles {
  const contents = new Map(Object.entries(record))
  const folders = new Map<string, Set<string>>()
  for (const path of contents.keys()) {
    for (let at = path.lastIndexOf('/'), child = path; at >= 0; at = child.lastIndexOf('/')) {
      const folder = at === 0 ? '/' : child.slice(0, at)
      const names = folders.get(folder) ?? new Set()
      folders.set(folder, names.add(child.slice(at + 1)))
      if (at === 0) break
      child = folder
    }
  }
  const stampAt = (path: string): FileStamp | undefined => {
    const kind = contents.has(path) ? 'file' : folders.has(path) ? 'folder' : undefined
    return kind && { kind, modifiedMs: 0, changedMs: 0, size: contents.get(path)?.length ?? 0, id: 0 }
  }
  const required = <Value>(value: Value | undefined, path: string): Value => {
    if (value !== undefined) return value
    throw new ContextLoaderError({
      code: 'context/unreadable',
      what: `"${path}" could not be read.`,
      why: folders.has(path) ? 'It is a folder, not a file.' : 'Nothing is stored under that path.',
      instead: 'Ask kindOf first.',
      details: { path },
    })
  }
  const bytesAt = (path: string): Uint8Array => {
    const content = required(contents.get(path), path)
    return typeof content === 'string' ? Buffer.from(content, 'utf8') : content
  }
  const files: WorkspaceFiles = {
    kindOf: async (path) => stampAt(path)?.kind,
    stampOf: async (path) => stampAt(path),
    list: async (path) =>
      [...required(folders.get(path), path)].sort((left, right) => (left < right ? -1 : 1)),
    readText: async (path) => Buffer.from(bytesAt(path)).toString('utf8'),
    readBytes: async (path) => bytesAt(path),
    modifiedMs: async (path) => required(stampAt(path), path).modifiedMs,
    realPath: async (path) => required(stampAt(path) && path, path),
  }
  return withPlainFiles(files, (path) => {
    const text = contents.get(path)
    const stamp = stampAt(path)
    // A lone surrogate has no UTF-8: the longer way turns it into U+FFFD, as a disk would hold it.
    const plain = typeof text === 'string' && !text.includes('\0') && !/\p{Surrogate}/u.test(text)
    return plain && stamp ? { text, stamp } : undefined
  })
}
