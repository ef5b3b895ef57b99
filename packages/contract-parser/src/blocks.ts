import { pipe, skipSpace } from './characters.js'
import { isThematicBreak, listMarkerEnd } from './line-starts.js'
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
    const match = listMarkerEnd(line.text, lead) < 0 ? null : item.exec(line.text)
    if (match) {
      const read = readItem(lines, index, match)
      blocks.push(read.block)
      index = read.next
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

function readItem(
  lines: readonly MarkdownLine[],
  index: number,
  match: RegExpExecArray,
): { block: TextBlock; next: number } {
  const [, lead = '', marker = '', ordinal, content = ''] = match
  const line = lines[index] as MarkdownLine
  let text = content.trim()
  let next = index + 1
  for (; next < lines.length; next++) {
    const following = lines[next] as MarkdownLine
    const indent = leadOf(following.text)
    if (!isText(following) || indent >= following.text.length || indent <= lead.length) break
    if (listMarkerEnd(following.text, indent) >= 0 || isThematicBreak(following.text, indent)) break
    if (following.text.charCodeAt(indent) === pipe) break
    text = text === '' ? following.text.trim() : `${text} ${following.text.trim()}`
  }
  const column = line.text.indexOf(content, lead.length + marker.length) + 1
  return {
    block: {
      type: 'item',
      text,
      line: line.number,
      column: content === '' ? lead.length + 1 : column,
      indent: lead.length,
      continued: false,
      ...(ordinal === undefined ? {} : { ordinal: Number(ordinal) }),
    },
    next,
  }
}
