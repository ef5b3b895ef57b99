import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { IcmError, nearestName } from '@icm/errors'
import { isInside, systemErrorCode } from '@icm/safe-files'
import { ToolRegistryError } from './errors.js'

const LISTED_ENTRIES = 6

/**
 * Explains a system error of a file from what is really there: for a missing file the entries of its folder and the
 * nearest name, for a refused one the folders that may be used. Only for paths inside `roots`, because a listing tells
 * what a model may not know; undefined for every other error.
 */
export async function explainFileError(
  error: unknown,
  roots: readonly string[],
): Promise<ToolRegistryError | undefined> {
  const path = pathOf(error)
  if (roots.length === 0 || path === undefined || IcmError.isInstance(error)) return undefined
  const code = systemErrorCode(error)
  const root = await rootOf(path, roots)
  if (['EACCES', 'EPERM', 'EROFS'].includes(code ?? ''))
    return notAllowed(shownPath(path, root), roots, error)
  if (root === undefined || (code !== 'ENOENT' && code !== 'ENOTDIR')) return undefined
  return missingFile(path, root, error)
}

function pathOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('path' in error)) return undefined
  return typeof error.path === 'string' ? resolve(error.path) : undefined
}

/** The root that really holds the path, links followed. */
async function rootOf(path: string, roots: readonly string[]): Promise<string | undefined> {
  const folder = await nearestFolder(path)
  const real = await realpath(folder).catch(() => folder)
  for (const root of roots) {
    const realRoot = await realpath(root).catch(() => resolve(root))
    if (isInside(realRoot, real)) return resolve(root)
  }
  return undefined
}

async function nearestFolder(path: string): Promise<string> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = await stat(folder).catch(() => undefined)
    if (found?.isDirectory() || dirname(folder) === folder) return folder
  }
}

async function missingFile(path: string, root: string, cause: unknown): Promise<ToolRegistryError> {
  const folder = await nearestFolder(path)
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort()
  const wanted = relative(folder, path).split(sep)[0] ?? ''
  const nearest = nearestName(wanted, names)
  const listed = names.slice(0, LISTED_ENTRIES).join(', ')
  const more = names.length > LISTED_ENTRIES ? ` and ${names.length - LISTED_ENTRIES} more` : ''
  const there = names.length === 0 ? 'It is empty.' : `It has: ${listed}${more}.`
  return new ToolRegistryError(
    {
      code: 'tool/missing-file',
      what: `${shownPath(path, root)} was not found.`,
      why: `The folder ${shownPath(folder, root)} has no "${wanted}". ${there}`,
      instead:
        nearest === undefined
          ? 'Use one of these names, or search for the file by its name first.'
          : `Did you mean ${shownPath(resolve(folder, nearest), root)}? Else search for the file by its name first.`,
    },
    { cause },
  )
}

function notAllowed(path: string, roots: readonly string[], cause: unknown): ToolRegistryError {
  return new ToolRegistryError(
    {
      code: 'tool/not-allowed',
      what: `${path} was not opened.`,
      why: 'This program has no right to it.',
      instead: `Use a path in: ${roots.join(', ')}.`,
    },
    { cause },
  )
}

function shownPath(path: string, root: string | undefined): string {
  if (root === undefined) return path
  const inside = relative(root, path)
  return inside === '' ? '.' : inside.replaceAll(sep, '/')
}
