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

const item = /^(\s*)([-*+]|(\d{1,9})[.)])(?:[ \t]+(.*))?$/
const rule = /^\s*([-*_])[ \t]*(?:\1[ \t]*){2,}$/

/** The tables, list items and paragraph lines of a section; code, rules and blank lines are left out. */
export function readBlocks(lines: readonly MarkdownLine[]): readonly Block[] {
  const blocks: Block[] = []
  let index = 0
  let previousText = false
  while (index < lines.length) {
    const line = lines[index] as MarkdownLine
    if (!isText(line) || line.text.trim() === '' || rule.test(line.text)) {
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
    const match = item.exec(line.text)
    if (match) {
      const read = readItem(lines, index, match)
      blocks.push(read.block)
      index = read.next
      previousText = false
      continue
    }
    const lead = line.text.length - line.text.trimStart().length
    const place = { line: line.number, column: lead + 1, indent: 0, continued: previousText }
    blocks.push({ type: 'text', text: line.text.trim(), ...place })
    previousText = true
    index++
  }
  return blocks
}

function isText(line: MarkdownLine): boolean {
  return line.kind === 'text' || line.kind === 'comment' || line.kind === 'html'
}

function readItem(
  lines: readonly MarkdownLine[],
  index: number,
  match: RegExpExecArray,
): { block: TextBlock; next: number } {
  const [, lead = '', marker = '', ordinal, content = ''] = match
  const line = lines[index] as MarkdownLine
  const parts = [content.trim()]
  let next = index + 1
  for (; next < lines.length; next++) {
    const following = lines[next] as MarkdownLine
    const text = following.text
    if (!isText(following) || text.trim() === '' || item.test(text) || rule.test(text)) break
    const indent = text.length - text.trimStart().length
    if (text.trimStart().startsWith('|') || indent <= lead.length) break
    parts.push(text.trim())
  }
  const column = line.text.indexOf(content, lead.length + marker.length) + 1
  return {
    block: {
      type: 'item',
      text: parts.filter((part) => part !== '').join(' '),
      line: line.number,
      column: content === '' ? lead.length + 1 : column,
      indent: lead.length,
      continued: false,
      ...(ordinal === undefined ? {} : { ordinal: Number(ordinal) }),
    },
    next,
  }
}
