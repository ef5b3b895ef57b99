import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemErrorCode } from '@icm/safe-files'
import { ToolAblationError } from './errors.js'
import type { ResultRow } from './results.js'

/** How every line begins. */
const START = '{"kind":"request"'

export interface ResultsFile {
  /** What earlier runs have left. */
  readonly rows: readonly ResultRow[]
  append(row: ResultRow): Promise<void>
}

/**
 * Opens a file of JSON lines that only grows. A line that an interruption cut is passed over; any other line that is
 * no result throws `ablation/bad-results`, because the file is then another one.
 */
export async function openResultsFile(path: string): Promise<ResultsFile> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return ''
    throw error
  })
  const lines = text.split('\n')
  const rows = lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const row = parse(line)
    if (row !== undefined) return [row]
    // What an interruption has cut begins like a result; the run after it closed the line.
    if (START.startsWith(line.slice(0, START.length))) return []
    throw badLine(path, index + 1)
  })
  await mkdir(dirname(path), { recursive: true })
  if (text !== '' && !text.endsWith('\n')) await appendFile(path, '\n')
  return { rows, append: (row) => appendFile(path, `${JSON.stringify(row)}\n`) }
}

function parse(line: string): ResultRow | undefined {
  try {
    const value: unknown = JSON.parse(line)
    const isRow = typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'request'
    return isRow ? (value as ResultRow) : undefined
  } catch {
    return undefined
  }
}

function badLine(path: string, line: number): ToolAblationError {
  return new ToolAblationError({
    code: 'ablation/bad-results',
    what: `${path} was not used.`,
    why: `Its line ${line} is no result of this program.`,
    instead: 'Name another folder with --out.',
  })
}
