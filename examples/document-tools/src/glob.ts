import { DocumentToolsError } from './errors.js'

/** A pattern such as `*.md`, ready to be compared with paths. */
export interface Glob {
  /** What the wildcards of the last part stood for, in order; undefined when the path does not match. */
  match(path: string): readonly string[] | undefined
}

const MOST_WILDCARDS = 8

/**
 * `*` and `?` stand for characters of one name, `{a,b}` for one of several texts, `**` for any folders. A pattern
 * without `/` is compared with the file's name, wherever the file is. Paths have `/` and no leading `./`.
 * Throws `document/bad-pattern` for an empty one and for more than 8 wildcards, whose comparison could take for ever.
 */
export function parseGlob(pattern: string): Glob {
  const parts = pattern
    .trim()
    .replace(/^\.?\/+/, '')
    .split('/')
  const last = parts.at(-1) === '**' ? '*' : (parts.pop() ?? '')
  const wildcards = pattern.replaceAll('**', '*').match(/[*?]/g)?.length ?? 0
  if (last === '' || wildcards > MOST_WILDCARDS) throw badPattern(pattern)
  const name = new RegExp(`^${partSource(last, true)}$`, 'u')
  const folder = new RegExp(`^${parts.map(folderSource).join('')}$`, 'u')
  const anywhere = parts.length === 0
  return {
    match: (path) => {
      const cut = path.lastIndexOf('/') + 1
      if (!anywhere && !folder.test(path.slice(0, cut))) return undefined
      return name.exec(path.slice(cut))?.slice(1)
    },
  }
}

function folderSource(part: string): string {
  return part === '**' ? '(?:[^/]+/)*' : `${partSource(part, false)}/`
}

function partSource(part: string, captures: boolean): string {
  const group = captures ? '(' : '(?:'
  return part.replaceAll(/\{[^{}]*\}|\*+|\?|[\\^$.|()[\]{}+]/gu, (found) => {
    if (found.length > 1 && found.startsWith('{')) {
      const choices = found.slice(1, -1).split(',')
      return `(?:${choices.map((choice) => partSource(choice, false)).join('|')})`
    }
    if (found.startsWith('*')) return `${group}[^/]*)`
    return found === '?' ? `${group}[^/])` : `\\${found}`
  })
}

function badPattern(pattern: string): DocumentToolsError {
  return new DocumentToolsError({
    code: 'document/bad-pattern',
    what: `The pattern ${JSON.stringify(pattern.slice(0, 100))} was not used.`,
    why: `A pattern ends in the name of a file and has at most ${MOST_WILDCARDS} wildcards.`,
    instead: 'Use one like "*.md" or "reports/**/*.txt".',
  })
}
