import { relative } from 'node:path'
import { nearestName } from '@icm/errors'
import { resolveContained } from '@icm/safe-files'
import type { ToolContext } from '@icm/tool-registry'
import { DocumentToolsError } from './errors.js'
import { parseGlob } from './glob.js'
import { listFiles } from './list-files.js'
import type { AllowedProgram } from './programs.js'

export interface ProgramInput {
  readonly program: string
  readonly options?: readonly string[] | undefined
  readonly files: readonly string[]
}

/**
 * The files that a call names, patterns worked out (no shell does it), each once, relative to `root`. A path need not
 * exist: the program says what is wrong with it. Throws `path/escapes-root`, and `document/no-match` for a pattern
 * that matches nothing.
 */
export async function filesOf(
  root: string,
  names: readonly string[],
  context: ToolContext,
): Promise<readonly string[]> {
  const realRoot = await resolveContained(root, '.')
  const files = new Set<string>()
  for (const name of names) {
    if (!/[*?]/.test(name)) {
      files.add(relative(realRoot, await resolveContained(root, name)) || '.')
      continue
    }
    const glob = parseGlob(name)
    const matching = (await listFiles(root, '.', context)).filter((path) => glob.match(path) !== undefined)
    if (matching.length === 0) throw noMatch(name)
    for (const path of matching) files.add(path)
  }
  return [...files]
}

/** The words of the command line. Throws `document/bad-option` for an option that is not on the program's list. */
export function wordsOf(
  program: AllowedProgram,
  { program: name, options = [] }: ProgramInput,
  files: readonly string[],
): readonly string[] {
  const foreign = options.find((option) => !program.options.includes(option))
  // "--" so that a file named like an option stays a file.
  if (foreign === undefined) return [...options, '--', ...files]
  const nearest = nearestName(foreign, program.options)
  throw new DocumentToolsError({
    code: 'document/bad-option',
    what: `${name} was not run: the option ${JSON.stringify(foreign.slice(0, 60))} is not allowed.`,
    why: `It may have: ${program.options.join(', ') || 'no options'}.`,
    instead: nearest === undefined ? 'Leave the option out.' : `Did you mean ${JSON.stringify(nearest)}?`,
  })
}

function noMatch(pattern: string): DocumentToolsError {
  return new DocumentToolsError({
    code: 'document/no-match',
    what: 'The program was not run.',
    why: `No file matches ${JSON.stringify(pattern)}.`,
    instead: 'Call find_documents to see the names.',
  })
}
