import type { Block, TextBlock } from './blocks.js'
import { type EntryRow, joinFolder, readRows } from './entry-columns.js'
import { type Group, groupOf, never } from './entry-groups.js'
import { type EntryReading, type FoundPath, readEntry, splitOutside } from './entry-text.js'
import { layerMark, layerOf, plain } from './layer-marks.js'
import { isOptional, mayBeOptional } from './optional-marks.js'
import { plainPath } from './path-text.js'
import { parseScope } from './scope.js'
import type { TableCell } from './table.js'
import type { ContractInput, InputKind, Scope } from './types.js'

/** What people write where there is nothing to name. */
export const noneMark = /^(?:\(?(?:none|n\/a|nothing)\)?|-+|–|—)\.?$/i
const personWords =
  /\b(?:conversation|chat|users?|human|operator|client|writer|editor|author|you|person|people|team|reviewer|uploaded|pasted)\b/i
const noteDash = /\s+(?:—|–|--?)\s+|(?<=[`)]):\s+/gu
const labelColon = /:\s+/g
const commentMark = /\s+#\s+/g

/** A longer paragraph line names no inputs; looking for them could take quadratic time. */
const longestLine = 4000

interface EntryFacts {
  readonly line: number
  readonly column: number
  readonly text: string
  readonly layer: 3 | 4 | undefined
  readonly label: string
  readonly note: string
  readonly scope: string
  readonly required: boolean
  /** Where a path stands, or what stands in its place. */
  readonly place: string
  readonly reading: EntryReading
}

/** Reads the entries of an Inputs section from its tables, bullets and path lines. */
export function parseInputs(blocks: readonly Block[]): readonly ContractInput[] {
  const inputs: ContractInput[] = []
  let parent: { indent: number; label: string; layer?: 3 | 4 } | undefined
  let group: Group | undefined
  let entryBefore = false
  let entryIndent: number | undefined
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index] as Block
    if (block.type === 'table') {
      const isPath = (text: string) => readEntry(text).paths.length > 0
      for (const row of readRows(block, isPath)) addEntries(inputs, inGroup(rowFacts(row), group))
      entryBefore = false
      continue
    }
    if (block.type === 'text') {
      entryBefore = isPathLine(block, entryBefore)
      if (entryBefore) addEntries(inputs, itemFacts(block))
      else group = groupOf(block.text) ?? (block.continued ? group : undefined)
      continue
    }
    if (parent && block.indent <= parent.indent) parent = undefined
    const next = blocks[index + 1]
    const facts = itemFacts(block)
    if (next?.type === 'item' && next.indent > block.indent && facts.reading.paths.length === 0) {
      parent = { indent: block.indent, label: facts.place.replace(/:$/, '').trim() }
      if (facts.layer) parent.layer = facts.layer
      continue
    }
    const named = facts.reading.paths.length > 0
    // Items below an entry that has its path explain that entry.
    if (!named && entryIndent !== undefined && block.indent > entryIndent) continue
    entryIndent = named ? block.indent : undefined
    addEntries(inputs, inGroup(parent ? inherit(facts, parent) : facts, group))
  }
  return inputs.length > 0 ? inputs : inputsInProse(blocks)
}

function inGroup(facts: EntryFacts, group: Group | undefined): EntryFacts {
  if (!group) return facts
  return {
    ...facts,
    layer: facts.layer ?? group.layer,
    required: facts.required && !group.optional,
    reading: group.never ? { ...facts.reading, paths: [] } : facts.reading,
  }
}

/** A sentence that says, before the first path, that something is read. */
const readsFile = /^[^`[]*\b(?:reads?|loads?|uses?|takes?|opens?|consults?|needs?|from|inputs?)\b[^`[]*[`[]/i

/** A section of sentences: the paths that they mark as code or link to. */
function inputsInProse(blocks: readonly Block[]): ContractInput[] {
  const inputs: ContractInput[] = []
  for (const block of blocks) {
    if (
      block.type !== 'text' ||
      block.text.length > longestLine ||
      never.test(block.text) ||
      !readsFile.test(block.text)
    )
      continue
    const reading = readEntry(block.text)
    const { line, column, text } = block
    const paths = reading.paths.filter(({ external }) => !external)
    if (paths.length === 0) continue
    const facts = { line, column, text, layer: undefined, label: '', note: '', scope: '', place: text }
    addEntries(inputs, { ...facts, required: !isOptional(text), reading: { ...reading, paths } })
  }
  return inputs
}

/** A paragraph line is an entry only if it begins with a path; wrapped prose that happens to is not. */
export function isPathLine(block: TextBlock, entryBefore: boolean): boolean {
  if ((block.continued && !entryBefore) || block.text.length > longestLine) return false
  if (/^(?:`[^`]+`|\[[^\]]*\]\([^)]*\))/.test(block.text)) {
    const first = /^(?:`[^`]+`|\[[^\]]*\]\([^)]*\))/.exec(block.text)?.[0] ?? ''
    return readEntry(first).paths.length > 0
  }
  const [, named = block.text] = labelLine.exec(block.text) ?? []
  return (
    readEntry(named.replace(/\s#\s.*$/, '')).paths.length > 0 &&
    (named !== block.text || !/`/.test(block.text))
  )
}

/** `Voice: ../voice.md`: a label of a few words, and nothing but paths behind it. */
const labelLine =
  /^[\p{L}\p{N}*_][^:`./]{0,40}:[*_]*\s+(`[^`]+`(?:(?:,| and| \+)\s+`[^`]+`)*|[^`\s]\S*(?:(?:,| and| \+)\s+[^`\s]\S*)*)$/u

function inherit(facts: EntryFacts, parent: { label: string; layer?: 3 | 4 }): EntryFacts {
  return {
    ...facts,
    label: facts.label === '' ? parent.label : facts.label,
    layer: facts.layer ?? parent.layer,
    required: facts.required && !isOptional(parent.label),
  }
}

function rowFacts(row: EntryRow): EntryFacts {
  const place = placeOf(row)
  const label = row.label?.text ?? ''
  const labelLayer = label === '' ? undefined : layerMark.exec(plain(label))?.[1]
  let text = row.cells[0]?.text ?? ''
  for (let index = 1; index < row.cells.length; index++) text += ` | ${row.cells[index]?.text ?? ''}`
  let note = ''
  for (const cell of row.notes) {
    if (cell.text !== '' && cell.text !== '-') note = note === '' ? cell.text : `${note}; ${cell.text}`
  }
  return {
    line: row.line,
    column: place.column,
    text,
    layer: layerOf(row.layer?.text ?? '', true) ?? layerOf(label, false),
    label: labelLayer === undefined ? plain(label) : '',
    note,
    scope: row.scope?.text ?? '',
    required:
      requiredOf(row.required?.text) ??
      notOptional(row.optional?.text) ??
      !(mayBeOptional.test(row.raw) && row.cells.some(isOptionalCell)),
    place: place.text,
    reading: readEntry(place.text),
  }
}

function isOptionalCell({ text }: TableCell): boolean {
  return isOptional(text)
}

function placeOf(row: EntryRow): TableCell {
  const location = row.location
  if (!row.path) return location ?? row.cells[0] ?? { text: '', column: 1 }
  if (!location) return row.path
  const folder = readEntry(location.text).paths[0]?.path
  const name = readEntry(row.path.text).paths[0]?.path
  if (folder && name) return { text: `\`${joinFolder(folder, name)}\``, column: row.path.column }
  return name ? row.path : location
}

function requiredOf(text: string | undefined): boolean | undefined {
  const value = text?.replace(/[*_`]/g, '').trim().toLowerCase()
  if (!value) return undefined
  if (/^(?:✅|✔️?|☑️?|yes|y|true|required|always|must|x)$/.test(value)) return true
  if (/^(?:❌|✗|✖️?|no|n|false|optional|-|–|—)$/.test(value) || isOptional(`(${value})`)) return false
  return undefined
}

function notOptional(text: string | undefined): boolean | undefined {
  if (/^[*_\s]*optional/i.test(text ?? '')) return false
  const optional = requiredOf(text)
  return optional === undefined ? undefined : !optional
}

function itemFacts(block: TextBlock): EntryFacts {
  const boxless = withoutBox(block.text)
  const bold = boxless.includes('**') ? boxless.replaceAll('**', '') : boxless
  const entry = bold.includes('~~') ? bold.replace(/~~[^~]+~~/g, '').trim() : bold
  const layer = layerOf(entry, false)
  const body = /^l/i.test(entry) ? entry.replace(layerMark, '') : entry
  // The canonical form: a bare path and nothing else.
  if (plainPath.test(body)) {
    const reading = { paths: [{ path: body, external: false }], commands: [], remarks: [], words: [] }
    const { line, column, text } = block
    return { line, column, text, layer, label: '', note: '', scope: '', required: true, place: body, reading }
  }
  const tail = splitOutside(body, commentMark) ?? [body, '']
  const split = splitItem(tail[0])
  return {
    line: block.line,
    column: block.column,
    text: block.text,
    layer,
    label: split.label,
    note: [split.note, tail[1]].filter((text) => text !== '').join('; '),
    scope: scopeIn(split.reading, split.note),
    required: !isOptional(entry),
    place: split.place,
    reading: never.test(entry) ? { ...split.reading, paths: [] } : split.reading,
  }
}

/** An item without its task box. */
export function withoutBox(text: string): string {
  return text.startsWith('[') ? text.replace(/^\[[ xX]\]\s+/, '') : text
}

function splitItem(text: string): { place: string; reading: EntryReading; label: string; note: string } {
  const labelled = splitOutside(text, labelColon)
  if (labelled && readEntry(labelled[0]).paths.length === 0) {
    const rest = splitNote(labelled[1])
    if (rest.reading.paths.length > 0) return { ...rest, label: labelled[0] }
  }
  const direct = splitNote(text)
  if (direct.reading.paths.length > 0 || direct.note === '') return { ...direct, label: '' }
  const behind = splitNote(direct.note)
  return behind.reading.paths.length > 0 ? { ...behind, label: direct.place } : { ...direct, label: '' }
}

function splitNote(text: string): { place: string; reading: EntryReading; note: string } {
  const [place, note] = splitOutside(text, noteDash) ?? [text, '']
  return { place, reading: readEntry(place), note }
}

/** The part of a file that a bullet names in a remark, or in words behind the path. */
function scopeIn({ remarks, words }: EntryReading, note: string): string {
  const remark = remarks.find((text) => isPartScope(parseScope(text)))
  if (remark !== undefined) return remark
  const said = [...words, note].find((text) => scopeWord.test(text) && isPartScope(parseScope(text)))
  return said ?? ''
}

const scopeWord = /^(?:the )?(?:first|lines?|sections?)\b|\bsections?(?: only)?\.?$/i

/** In a bullet's remark only unmistakable scopes count: quoted names, ranges of them, lines. */
function isPartScope(scope: Scope): boolean {
  return scope.kind === 'lines' || scope.kind === 'range' || (scope.kind === 'names' && scope.quoted)
}

type OpenInput = { -readonly [Key in keyof ContractInput]: ContractInput[Key] }

function addEntries(inputs: ContractInput[], facts: EntryFacts): void {
  const { paths } = facts.reading
  if (paths.length === 0) {
    const entry = entryOf(facts, kindWithoutPath(facts), facts.scope)
    entry.remark = facts.place
    inputs.push(entry)
  }
  for (let index = 0; index < paths.length; index++) {
    const found = paths[index] as FoundPath
    const scope = facts.scope === '' ? (found.scope ?? '') : facts.scope
    const entry = entryOf(facts, found.external ? 'external' : 'file', scope)
    entry.path = found.path
    const sibling = siblingOf(paths, index)
    if (sibling) entry.siblingOf = sibling
    inputs.push(entry)
  }
}

function entryOf(facts: EntryFacts, kind: InputKind, scope: string): OpenInput {
  const { line, column, text, required } = facts
  const entry: OpenInput = { kind, text, scope: parseScope(scope), required, line, column }
  if (facts.layer) entry.layer = facts.layer
  if (facts.label !== '') entry.label = facts.label
  if (facts.note !== '') entry.note = facts.note
  return entry
}

function siblingOf(paths: readonly FoundPath[], index: number): string | undefined {
  if (index === 0) return undefined
  const path = paths[index]
  if (!path || path.external || /\//.test(path.path.replace(/\/$/, ''))) return undefined
  const before = paths.slice(0, index).findLast((other) => !other.external && other.path.includes('/'))
  return before?.path
}

function kindWithoutPath(facts: EntryFacts): InputKind {
  if (noneMark.test(facts.place.trim()) || facts.place.trim() === '') return 'none'
  if (facts.reading.commands.length > 0) return 'command'
  return personWords.test(facts.place) ? 'person' : 'prose'
}
