import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { SafeFilesError, systemErrorCode } from './errors.js'

/**
 * The real, absolute place of `path` (relative to `root`, or absolute), guaranteed to lie in `root` after every
 * symbolic link is resolved. The file need not exist: its nearest existing parent decides (a lexical prefix check
 * misses links, `..`, sibling prefixes and files that are not there yet; field report G12).
 *
 * Throws `path/escapes-root`, also for a link whose target does not exist, and `path/invalid` for a NUL byte.
 */
export async function resolveContained(root: string, path: string): Promise<string> {
  if (path.includes('\0')) {
    throw new SafeFilesError({
      code: 'path/invalid',
      what: `The path ${JSON.stringify(path)} was not used.`,
      why: 'A path cannot contain a NUL byte.',
      instead: 'Remove the NUL byte.',
    })
  }
  const realRoot = await realpath(root)
  const real = await realPathOfNearest(resolve(realRoot, path), path)
  if (!isInside(realRoot, real)) throw escapes(path)
  return real
}

/** True when `path` is `root` or lies below it; both absolute and already real. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

async function realPathOfNearest(path: string, asked: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const code = systemErrorCode(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw escapes(asked, error)
    const link = await lstat(path).catch(() => undefined)
    if (link?.isSymbolicLink()) throw escapes(asked, error)
    const parent = dirname(path)
    if (parent === path) return path
    return join(await realPathOfNearest(parent, asked), basename(path))
  }
}

function escapes(path: string, cause?: unknown): SafeFilesError {
  return new SafeFilesError(
    {
      code: 'path/escapes-root',
      what: `${path} was not opened.`,
      why: 'It leads outside the folder that may be used, directly or through a symbolic link.',
      instead: 'Name a path inside that folder.',
      details: { path },
    },
    { cause },
  )
}
