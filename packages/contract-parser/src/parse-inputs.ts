import type { Block, TextBlock } from './blocks.js'
import { type EntryRow, joinFolder, readRows } from './entry-columns.js'
import { type EntryReading, type FoundPath, readEntry, splitOutside } from './entry-text.js'
import { plainPath } from './path-text.js'
import { parseScope } from './scope.js'
import type { TableCell } from './table.js'
import type { ContractInput, InputKind, Scope } from './types.js'

const optionalRemark =
  /\((?:[^()]*\b)?(?:optional|if (?:it |they )?exists?|if applicable|if any|if available|if present)\b[^()]*\)/i
/** A round that not every run has: `(reruns only)`, `(iteration only)`. */
const laterRoundRemark =
  /\((?:prior |later |second |next )?(?:re-?runs?|iterations?|revisions?|rounds?|follow-?ups?|retry|retries|loops?|re-?entry)\b[^()]*\bonly\)/i
const optionalWords =
  /\bonly (?:if|when|on)\b|\bany (?:\w+ )?files?\b[^|]*\b(?:drop|upload|add|provide|paste|attach)(?:s|es)?\b|\bif any[.\s]*$/i
const optionalLetters = /nly |any|[(].*(?:nly|ptional|if |xist)/i
const layerMark = /^(?:L|Layer\s+)([0-9])(?=$|[\s:(–—])(?:\s*\([^()]*\))?\s*[:\-–—]?\s*/i
const noneMark = /^(?:\(?(?:none|n\/a|nothing)\)?|-+|–|—)\.?$/i
const personWords =
  /\b(?:conversation|chat|users?|human|operator|client|writer|editor|author|you|person|people|team|reviewer|uploaded|pasted)\b/i
const noteDash = /\s+(?:—|–|--?)\s+|(?<=[`)]):\s+/gu
const labelColon = /:\s+/g
const commentMark = /\s+#\s+/g

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
  let entryBefore = false
  let entryIndent: number | undefined
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index] as Block
    if (block.type === 'table') {
      const isPath = (text: string) => readEntry(text).paths.length > 0
      for (const row of readRows(block, isPath)) addEntries(inputs, rowFacts(row))
      entryBefore = false
      continue
    }
    if (block.type === 'text') {
      entryBefore = isPathLine(block, entryBefore)
      if (entryBefore) addEntries(inputs, itemFacts(block))
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
    addEntries(inputs, parent ? inherit(facts, parent) : facts)
  }
  return inputs
}

/** A paragraph line is an entry only if it begins with a path; wrapped prose that happens to is not. */
export function isPathLine(block: TextBlock, entryBefore: boolean): boolean {
  if (block.continued && !entryBefore) return false
  if (/^(?:`[^`]+`|\[[^\]]*\]\([^)]*\))/.test(block.text)) {
    const first = /^(?:`[^`]+`|\[[^\]]*\]\([^)]*\))/.exec(block.text)?.[0] ?? ''
    return readEntry(first).paths.length > 0
  }
  return readEntry(block.text.replace(/\s#\s.*$/, '')).paths.length > 0 && !/`/.test(block.text)
}

/** Whether a text marks its entry as optional: `(if exists)`, `only when ...`, `(reruns only)`. */
export function isOptional(text: string): boolean {
  // Most texts hold none of the marks, whatever their case.
  if (!optionalLetters.test(text)) return false
  if (text.includes('(') && (optionalRemark.test(text) || laterRoundRemark.test(text))) return true
  return /nly |any/i.test(text) && optionalWords.test(text)
}

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
      requiredOf(row.required?.text) ?? !(optionalLetters.test(text) && row.cells.some(isOptionalCell)),
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

function layerOf(text: string, column: boolean): 3 | 4 | undefined {
  if (text === '' || !(column || /^[*`]*l/i.test(text))) return undefined
  const words = plain(text)
  const digit = layerMark.exec(words)?.[1] ?? (column ? /^([0-9])\b/.exec(words)?.[1] : undefined)
  return digit === '3' ? 3 : digit === '4' ? 4 : undefined
}

function plain(text: string): string {
  return text.includes('**') || text.includes('`') ? text.replace(/\*\*|`/g, '').trim() : text
}

function itemFacts(block: TextBlock): EntryFacts {
  const boxless = withoutBox(block.text)
  const entry = boxless.includes('**') ? boxless.replaceAll('**', '') : boxless
  const layer = layerOf(entry, false)
  const body = /^l/i.test(entry) ? entry.replace(layerMark, '') : entry
  // The canonical form: a bare path and nothing else.
  if (plainPath.test(body)) {
    const reading = { paths: [{ path: body, external: false }], commands: [], remarks: [] }
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
    scope: split.reading.remarks.find((remark) => isPartScope(parseScope(remark))) ?? '',
    required: !isOptional(entry),
    place: split.place,
    reading: split.reading,
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
