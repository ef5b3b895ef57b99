import { ContextLoaderError } from './errors.js'
import type { WorkspaceFiles } from './types.js'

/**
 * An object of absolute path → text as a store of workspace files; folders are where files are.
 * Every file is as old as the others: the latest one is the last by name.
 */
export function memoryFiles(record: { readonly [path: string]: string }): WorkspaceFiles {
  const texts = new Map(Object.entries(record))
  const folders = new Map<string, Set<string>>()
  for (const path of texts.keys()) {
    for (let at = path.lastIndexOf('/'), child = path; at >= 0; at = child.lastIndexOf('/')) {
      const folder = at === 0 ? '/' : child.slice(0, at)
      const names = folders.get(folder) ?? new Set()
      folders.set(folder, names.add(child.slice(at + 1)))
      if (at === 0) break
      child = folder
    }
  }
  const present = (path: string) => texts.has(path) || folders.has(path)
  const required = <Value>(value: Value | undefined, path: string): Value => {
    if (value !== undefined) return value
    throw new ContextLoaderError({
      code: 'context/unreadable',
      what: `"${path}" could not be read.`,
      why: 'Nothing is stored under that path.',
      instead: 'Ask kindOf first.',
      details: { path },
    })
  }
  return {
    kindOf: async (path) => (texts.has(path) ? 'file' : folders.has(path) ? 'folder' : undefined),
    list: async (path) =>
      [...required(folders.get(path), path)].sort((left, right) => (left < right ? -1 : 1)),
    readText: async (path) => required(texts.get(path), path),
    modifiedMs: async (path) => required(present(path) ? 0 : undefined, path),
    realPath: async (path) => required(present(path) ? path : undefined, path),
  }
}
