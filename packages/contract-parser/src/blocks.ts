import { pipe, skipSpace } from './characters.js'
import { isDigit, isThematicBreak, listMarkerEnd } from './line-starts.js'
import type { MarkdownLine } from './scan-lines.js'
import { readTable, type Table } from './table.js'

/** A list item with its continuation lines joined by one space, or one line of a paragraph. */
export interface TextBlock {
  readonly type: 'item' | 'text'
  readonly text: string
  readonly line: number
  readonly column: number
  /** Columns before the marker; 0 for a line of a paragraph. */
  readonly indent: number
  /** The number of an ordered item, else undefined. */
  readonly ordinal?: number
  /** True when the line before belongs to the same paragraph. */
  readonly continued: boolean
}

export type Block = TextBlock | ({ readonly type: 'table' } & Table)

/** The tables, list items and paragraph lines of a section; code, rules and blank lines are left out. */
export function readBlocks(lines: readonly MarkdownLine[]): readonly Block[] {
  const blocks: Block[] = []
  let index = 0
  let previousText = false
  while (index < lines.length) {
    const line = lines[index] as MarkdownLine
    const lead = leadOf(line.text)
    if (!isText(line) || lead >= line.text.length || isThematicBreak(line.text, lead)) {
      previousText = false
      index++
      continue
    }
    const table = readTable(lines, index)
    if (table) {
      blocks.push({ type: 'table', ...table.table })
      index = table.next
      previousText = false
      continue
    }
    const markerEnd = listMarkerEnd(line.text, lead)
    if (markerEnd >= 0) {
      index = readItem(lines, index, lead, markerEnd, blocks)
      previousText = false
      continue
    }
    blocks.push({
      type: 'text',
      text: line.text.trim(),
      line: line.number,
      column: lead + 1,
      indent: 0,
      continued: previousText,
    })
    previousText = true
    index++
  }
  return blocks
}

function isText(line: MarkdownLine): boolean {
  return line.kind === 'text' || line.kind === 'comment' || line.kind === 'html'
}

/** The number of white space characters that a line begins with, of any kind. */
function leadOf(text: string): number {
  const at = skipSpace(text, 0)
  if (at >= text.length) return text.length
  const code = text.charCodeAt(at)
  return code < 32 || code >= 0x80 ? text.length - text.trimStart().length : at
}

/** Adds the item that begins at `lines[index]`; gives the index of the first line behind it. */
function readItem(
  lines: readonly MarkdownLine[],
  index: number,
  lead: number,
  markerEnd: number,
  blocks: Block[],
): number {
  const line = lines[index] as MarkdownLine
  const from = skipSpace(line.text, markerEnd)
  let text = line.text.slice(from).trim()
  let next = index + 1
  for (; next < lines.length; next++) {
    const following = lines[next] as MarkdownLine
    const indent = leadOf(following.text)
    if (indent <= lead || !isText(following) || indent >= following.text.length) break
    if (listMarkerEnd(following.text, indent) >= 0 || isThematicBreak(following.text, indent)) break
    if (following.text.charCodeAt(indent) === pipe) break
    text = text === '' ? following.text.trim() : `${text} ${following.text.trim()}`
  }
  const base = {
    type: 'item',
    text,
    line: line.number,
    column: from >= line.text.length ? lead + 1 : from + 1,
    indent: lead,
    continued: false,
  } as const
  const ordered = isDigit(line.text.charCodeAt(lead))
  blocks.push(ordered ? { ...base, ordinal: Number(line.text.slice(lead, markerEnd - 1)) } : base)
  return next
}
