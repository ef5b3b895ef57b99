import type { Block, TextBlock } from './blocks.js'
import { type EntryRow, joinFolder, readRows } from './entry-columns.js'
import { never } from './entry-groups.js'
import { readEntry, splitOutside } from './entry-text.js'
import { isPathLine, noneMark, withoutBox } from './parse-inputs.js'
import { excerpt, type ProblemList } from './problems.js'
import type { ContractOutput, Position } from './types.js'

const arrow = /\s*(?:->|→|=>)\s*/g
const labelColon = /:\s+/g
const noteDash = /\s+(?:—|–|--?)\s+|(?<=[`)]):\s+/gu

/** Reads the entries of an Outputs section; a bare name lies in `output/`, a path named twice counts once. */
export function parseOutputs(blocks: readonly Block[], problems: ProblemList): readonly ContractOutput[] {
  const found: ContractOutput[] = []
  const others: NoFile[] = []
  let entryBefore = false
  for (const block of blocks) {
    if (block.type === 'table') {
      const isPath = (text: string) => readEntry(text).paths.length > 0
      for (const row of readRows(block, isPath)) rowOutputs(row, found, others)
    } else if (block.type === 'item') {
      found.push(...itemOutputs(block, others))
    } else {
      entryBefore = isPathLine(block, entryBefore) || arrowParts(block.text) !== undefined
      if (entryBefore) found.push(...itemOutputs(block, others))
    }
  }
  if (found.length === 0) found.push(...outputsInProse(blocks))
  // Beside a file, what is none is meant so: a commit, a field of the file.
  if (found.length === 0) for (const { text, ...place } of others) reportNoFile(text, place, problems)
  return withoutDuplicates(found, problems)
}

/** A section of sentences: the files that the first of them with any marks as code, also in parentheses. */
function outputsInProse(blocks: readonly Block[]): ContractOutput[] {
  for (const block of blocks) {
    if (block.type !== 'text' || never.test(block.text)) continue
    const spans = [...block.text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
    const paths = spans.flatMap((span) => readEntry(`\`${span}\``).paths.filter(({ external }) => !external))
    if (paths.length > 0)
      return intoFolder(paths.map(({ path }) => path)).map((path) => outputOf(path, block.text, '', block))
  }
  return []
}

/** "`output/` as `x.md`": a folder, and names of files in it. */
function intoFolder(paths: readonly string[]): readonly string[] {
  const [folder, ...names] = paths
  if (!folder?.endsWith('/') || names.length === 0 || names.some((name) => name.includes('/'))) return paths
  return names.map((name) => joinFolder(folder, name))
}

interface NoFile extends Position {
  readonly text: string
}

function rowOutputs(row: EntryRow, found: ContractOutput[], others: NoFile[]): void {
  const place = { line: row.line, column: (row.path ?? row.location ?? row.cells[0])?.column ?? 1 }
  let text = row.cells[0]?.text ?? ''
  for (let index = 1; index < row.cells.length; index++) text += ` | ${row.cells[index]?.text ?? ''}`
  let note = ''
  for (const cell of row.notes) {
    if (cell.text !== '') note = note === '' ? cell.text : `${note}; ${cell.text}`
  }
  const paths = rowPaths(row)
  if (paths.length === 0) others.push({ text, ...place })
  for (const path of paths) found.push(outputOf(path, text, note, place))
}

function rowPaths(row: EntryRow): readonly string[] {
  const names = pathsIn((row.path ?? row.label)?.text)
  const locations = pathsIn(row.location?.text)
  if (locations.length === 0) return row.path || !row.location ? intoFolder(names) : []
  if (names.length === 0) return intoFolder(locations)
  const paths: string[] = []
  for (const location of locations) {
    if (joinable(location, names)) for (const name of names) paths.push(joinFolder(location, name))
    else paths.push(location)
  }
  return paths
}

/** A folder in the location column holds the plain file names of the other column. */
function joinable(location: string, names: readonly string[]): boolean {
  return location.endsWith('/') && names.length > 0 && names.every((name) => !name.includes('/'))
}

function itemOutputs(block: TextBlock, others: NoFile[]): ContractOutput[] {
  const entry = withoutBox(block.text).replaceAll('**', '')
  const place = { line: block.line, column: block.column }
  const moved = arrowParts(entry)
  if (moved) {
    return moved.paths.map((path) => outputOf(path, block.text, moved.note, place))
  }
  const [head, tail] = splitOutside(entry, noteDash) ?? [entry, '']
  const labelled = splitOutside(head, labelColon)
  const first = readEntry(head).paths
  const paths = first.length > 0 || !labelled ? first : readEntry(labelled[1]).paths
  // "Label — path": the path may stand behind the dash, but only at its beginning.
  const behind =
    paths.length === 0 && /^[`[]/.test(tail) ? readEntry(splitOutside(tail, noteDash)?.[0] ?? tail).paths : []
  const all = [...paths, ...behind]
  if (all.length === 0 && !noneMark.test(entry.trim())) others.push({ text: block.text, ...place })
  const files = all.filter((path) => !path.external).map((path) => path.path)
  return intoFolder(files).map((path) => outputOf(path, block.text, paths.length > 0 ? tail : '', place))
}

function outputOf(path: string, text: string, note: string, { line, column }: Position): ContractOutput {
  const place = inOutputFolder(path)
  return note === '' ? { path: place, text, line, column } : { path: place, text, note, line, column }
}

function arrowParts(text: string): { paths: readonly string[]; note: string } | undefined {
  const split = splitOutside(text, arrow)
  if (!split) return undefined
  const [target, note] = splitOutside(split[1], noteDash) ?? [split[1], '']
  const reading = readEntry(target.replace(/\s+\([^()]*\)\s*$/, ''))
  const folder = reading.paths[0]?.path ?? (/^`?output`?$/.test(target.trim()) ? 'output/' : undefined)
  if (!folder) return undefined
  const names = readEntry(split[0]).paths.filter((path) => !path.external)
  const remark = /\(([^()]*)\)\s*$/.exec(target)?.[1] ?? ''
  const paths =
    names.length === 0 || !folder.endsWith('/')
      ? [folder]
      : names.map((name) => joinFolder(folder, name.path))
  return { paths, note: [remark, note].filter((part) => part !== '').join('; ') }
}

/** Whether an entry names a part of a file (`notes.md § Sources`): then a bare name means a file named elsewhere. */
function namesPart(text: string): boolean {
  return text.includes('§')
}

function pathsIn(text: string | undefined): readonly string[] {
  const paths: string[] = []
  if (text === undefined) return paths
  for (const { path, external } of readEntry(text).paths) if (!external) paths.push(path)
  return paths
}

/** A bare name is written to `output/`. */
function inOutputFolder(path: string): string {
  const slash = path.indexOf('/')
  const bare = slash < 0 || slash === path.length - 1
  return bare && path !== 'output/' && path !== './' && path !== '../' ? `output/${path}` : path
}

function reportNoFile(text: string, place: Position, problems: ProblemList): void {
  problems.add('info', 'contract/output-not-a-file', place, {
    what: `The output "${excerpt(text)}" names no file.`,
    why: 'Only files are written and counted when a stage is judged done.',
    instead: 'Write it as `- name.md -> output/` if a file is meant.',
  })
}

function sameName(kept: ReadonlyMap<string, ContractOutput>, path: string): ContractOutput | undefined {
  const name = path.slice(path.lastIndexOf('/'))
  return [...kept.values()].find((output) => output.path.endsWith(name))
}

function withoutDuplicates(found: readonly ContractOutput[], problems: ProblemList): ContractOutput[] {
  const kept = new Map<string, ContractOutput>()
  for (const output of found) {
    const part = namesPart(output.text)
    const first = kept.get(output.path) ?? (part ? sameName(kept, output.path) : undefined)
    if (!first) kept.set(output.path, output)
    else if (!part) {
      problems.add('info', 'contract/duplicate-output', output, {
        what: `The output "${output.path}" was named again; line ${first.line} names it first.`,
        why: 'A stage writes each file once.',
        instead: 'Keep one of the lines.',
      })
    }
  }
  return [...kept.values()]
}
