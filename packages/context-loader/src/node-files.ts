import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { sep } from 'node:path'
import { ContextLoaderError } from './errors.js'
import type { WorkspaceFiles } from './types.js'

/** The disk as a store of workspace files. Throws `context/unreadable` where something is there but cannot be read. */
export function nodeFiles(): WorkspaceFiles {
  return {
    async kindOf(path) {
      try {
        const entry = await stat(path)
        return entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : undefined
      } catch (error) {
        if (isAbsent(error)) return undefined
        throw unreadable(path, error)
      }
    },
    async list(path) {
      const names = await readdir(path).catch((error: unknown) => {
        throw unreadable(path, error)
      })
      return names.sort((left, right) => (left < right ? -1 : 1))
    },
    readText: (path) =>
      readFile(path, 'utf8').catch((error: unknown) => {
        throw unreadable(path, error)
      }),
    modifiedMs: async (path) =>
      (
        await stat(path).catch((error: unknown) => {
          throw unreadable(path, error)
        })
      ).mtimeMs,
    realPath: async (path) => {
      const real = await realpath(path).catch((error: unknown) => {
        throw unreadable(path, error)
      })
      return sep === '/' ? real : real.replaceAll(sep, '/')
    },
  }
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}

function isAbsent(error: unknown): boolean {
  // ELOOP: a link that leads to itself; ENAMETOOLONG: no file can have that name.
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(codeOf(error))
}

function unreadable(path: string, cause: unknown): ContextLoaderError {
  const code = codeOf(cause)
  return new ContextLoaderError(
    {
      code: 'context/unreadable',
      what: `"${path}" could not be read${code === '' ? '' : ` (${code})`}.`,
      why: code === 'EACCES' ? 'This user has no permission to read it.' : 'The operating system refused.',
      instead: code === 'EACCES' ? `Give read permission on "${path}".` : `Check that "${path}" is readable.`,
      details: { path, ...(code === '' ? {} : { systemCode: code }) },
    },
    { cause },
  )
}
