import type { Block, TextBlock } from './blocks.js'
import { type EntryRow, joinFolder, readRows } from './entry-columns.js'
import { type EntryReading, type FoundPath, readEntry, splitOutside } from './entry-text.js'
import { parseScope } from './scope.js'
import type { TableCell } from './table.js'
import type { ContractInput, InputKind, Scope } from './types.js'

const optionalMark =
  /\((?:[^()]*\b)?(?:optional|if (?:it |they )?exists?|if applicable|if any|if available|if present)\b[^()]*\)|\bonly (?:if|when|on)\b|\bany (?:\w+ )?files?\b[^|]*\b(?:drop|upload|add|provide|paste|attach)(?:s|es)?\b|,? if any[.\s]*$/i
/** A round that not every run has: `(reruns only)`, `(iteration only)`. */
const laterRoundMark =
  /\((?:prior |later |second |next )?(?:re-?runs?|iterations?|revisions?|rounds?|follow-?ups?|retry|retries|loops?|re-?entry)\b[^()]*\bonly\)/i
const layerMark = /^(?:L|Layer\s+)([0-9])(?=$|[\s:(–—])(?:\s*\([^()]*\))?\s*[:\-–—]?\s*/i
const noneMark = /^(?:\(?(?:none|n\/a|nothing)\)?|-+|–|—)\.?$/i
const personWords =
  /\b(?:conversation|chat|users?|human|operator|client|writer|editor|author|you|person|people|team|reviewer|uploaded|pasted)\b/i
const noteDash = /\s+(?:—|–|--?)\s+|(?<=[`)]):\s+/u

interface EntryFacts {
  readonly line: number
  readonly column: number
  readonly text: string
  readonly layer?: 3 | 4
  readonly label?: string
  readonly note?: string
  readonly scope?: string
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
  for (const [index, block] of blocks.entries()) {
    if (block.type === 'table') {
      const isPath = (text: string) => readEntry(text).paths.length > 0
      for (const row of readRows(block, isPath)) inputs.push(...entriesOf(rowFacts(row)))
      entryBefore = false
      continue
    }
    if (block.type === 'text') {
      entryBefore = isPathLine(block, entryBefore)
      if (entryBefore) inputs.push(...entriesOf(itemFacts(block)))
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
    inputs.push(...entriesOf(parent ? inherit(facts, parent) : facts))
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

function isOptional(text: string): boolean {
  return optionalMark.test(text) || laterRoundMark.test(text)
}

function inherit(facts: EntryFacts, parent: { label: string; layer?: 3 | 4 }): EntryFacts {
  return {
    ...facts,
    ...(facts.label || parent.label === '' ? {} : { label: parent.label }),
    ...(facts.layer || !parent.layer ? {} : { layer: parent.layer }),
    required: facts.required && !isOptional(parent.label),
  }
}

function rowFacts(row: EntryRow): EntryFacts {
  const cells = row.cells.map((cell) => cell.text)
  const place = placeOf(row)
  const stated = layerOf(row.layer?.text ?? '', true) ?? layerOf(row.label?.text ?? '', false)
  const labelIsLayer = row.label !== undefined && layerMark.test(plain(row.label.text))
  const notes = row.notes.map((cell) => cell.text).filter((text) => text !== '' && text !== '-')
  const marked = [row.label?.text, place.text, row.scope?.text, ...notes].some((text) =>
    isOptional(text ?? ''),
  )
  return {
    line: row.line,
    column: place.column,
    text: cells.join(' | '),
    place: place.text,
    reading: readEntry(place.text),
    required: requiredOf(row.required?.text) ?? !marked,
    ...(stated ? { layer: stated } : {}),
    ...(row.label && !labelIsLayer && row.label.text !== '' ? { label: plain(row.label.text) } : {}),
    ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
    ...(row.scope ? { scope: row.scope.text } : {}),
  }
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
  const digit = layerMark.exec(plain(text))?.[1] ?? (column ? /^([0-9])\b/.exec(plain(text))?.[1] : undefined)
  return digit === '3' ? 3 : digit === '4' ? 4 : undefined
}

function plain(text: string): string {
  return text.replace(/\*\*|`/g, '').trim()
}

function itemFacts(block: TextBlock): EntryFacts {
  const entry = block.text.replace(/^\[[ xX]\]\s+/, '').replace(/\*\*/g, '')
  const layer = layerOf(entry, false)
  const body = entry.replace(layerMark, '')
  const tail = splitOutside(body, /\s+#\s+/) ?? [body, '']
  const split = splitItem(tail[0])
  const notes = [split.note, tail[1]].filter((text) => text !== '')
  const remarkScope = split.reading.remarks.find((remark) => isPartScope(parseScope(remark)))
  return {
    line: block.line,
    column: block.column,
    text: block.text,
    place: split.place,
    reading: split.reading,
    required: !isOptional(entry),
    ...(layer ? { layer } : {}),
    ...(split.label ? { label: split.label } : {}),
    ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
    ...(remarkScope ? { scope: remarkScope } : {}),
  }
}

function splitItem(text: string): { place: string; reading: EntryReading; label: string; note: string } {
  const labelled = splitOutside(text, /:\s+/)
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

function entriesOf(facts: EntryFacts): ContractInput[] {
  const shared = {
    line: facts.line,
    column: facts.column,
    text: facts.text,
    required: facts.required,
    ...(facts.layer ? { layer: facts.layer } : {}),
    ...(facts.label ? { label: facts.label } : {}),
    ...(facts.note ? { note: facts.note } : {}),
  }
  const { paths } = facts.reading
  if (paths.length === 0) {
    return [
      { ...shared, kind: kindWithoutPath(facts), remark: facts.place, scope: parseScope(facts.scope ?? '') },
    ]
  }
  return paths.map((found, index) => {
    const sibling = siblingOf(paths, index)
    return {
      ...shared,
      kind: found.external ? 'external' : 'file',
      path: found.path,
      scope: parseScope(facts.scope && facts.scope !== '' ? facts.scope : (found.scope ?? '')),
      ...(sibling ? { siblingOf: sibling } : {}),
    }
  })
}

function siblingOf(paths: readonly FoundPath[], index: number): string | undefined {
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
