import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ToolContext } from '@icm/tool-registry'
import { DocumentToolsError } from './errors.js'
import { parseGlob } from './glob.js'
import { listFiles } from './list-files.js'

export interface RenameInput {
  readonly pattern: string
  readonly to: string
  readonly folder?: string | undefined
}

/** One file's old and new path, relative to the root. */
export interface Renaming {
  readonly from: string
  readonly to: string
}

/**
 * What a call would rename, in order. A `*` or `?` of `to` takes what the wildcard at its place in the pattern stood for.
 * Throws `document/bad-pattern` for a new name that is none; changes nothing.
 */
export async function planRename(
  root: string,
  { pattern, to, folder }: RenameInput,
  context: ToolContext,
): Promise<readonly Renaming[]> {
  const wildcards = to.match(/[*?]/g)?.length ?? 0
  const given = (pattern.split('/').at(-1) ?? '').match(/\*+|\?/g)?.length ?? 0
  if (/[/\\\0]/.test(to) || to.startsWith('.') || wildcards > given) throw badName(to, given)
  const glob = parseGlob(pattern)
  const files = await listFiles(root, folder ?? '.', context)
  return files.flatMap((from) => {
    const stoodFor = glob.match(from)
    if (stoodFor === undefined) return []
    let next = 0
    const name = to.replaceAll(/[*?]/g, () => stoodFor[next++] ?? '')
    const renamed = from.slice(0, from.lastIndexOf('/') + 1) + name
    return renamed === from ? [] : [{ from, to: renamed }]
  })
}

/** The first reason why a plan cannot be carried out without a loss; undefined when there is none. */
export async function findConflict(
  root: string,
  plan: readonly Renaming[],
): Promise<DocumentToolsError | undefined> {
  const taken = new Map<string, string>()
  for (const { from, to } of plan) {
    const other = taken.get(to)
    if (other !== undefined) return conflict(to, `Both ${other} and ${from} would get that name.`)
    taken.set(to, from)
    const there = await lstat(join(root, to)).catch(() => undefined)
    if (there !== undefined)
      return conflict(to, `A file of that name is there, and ${from} would replace it.`)
  }
  return undefined
}

function conflict(to: string, why: string): DocumentToolsError {
  return new DocumentToolsError({
    code: 'document/name-taken',
    what: `No file was renamed: ${to} would be there twice.`,
    why,
    instead: 'Keep a "*" in the new name, or add something to it, such as "old-*".',
  })
}

function badName(to: string, given: number): DocumentToolsError {
  return new DocumentToolsError({
    code: 'document/bad-pattern',
    what: `No file was renamed to ${JSON.stringify(to.slice(0, 100))}.`,
    why: `A new name has no "/", does not begin with a dot, and has at most as many wildcards as the old one (${given}).`,
    instead: 'Give a name such as "*.md" or "2024-*.txt".',
  })
}
