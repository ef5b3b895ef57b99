import { backslash, colon, dash, isSpace, pipe, space } from './characters.js'
import type { MarkdownLine } from './scan-lines.js'

export interface TableCell {
  readonly text: string
  /** Counts from 1, in the line. */
  readonly column: number
}

export interface TableRow {
  readonly line: number
  /** The whole line. */
  readonly raw: string
  readonly cells: readonly TableCell[]
}

/** A pipe table; rows may have fewer or more cells than the header. */
export interface Table {
  readonly header: readonly string[]
  readonly rows: readonly TableRow[]
}

const delimiterRow = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

/**
 * Reads the table that begins at `lines[index]`, or undefined when none does. The first row is the header;
 * rows above the delimiter row count as rows; a line without a leading pipe ends a table that has them.
 */
export function readTable(
  lines: readonly MarkdownLine[],
  index: number,
): { readonly table: Table; readonly next: number } | undefined {
  const first = lines[index]
  if (first?.kind !== 'text') return undefined
  const piped = beginsWithPipe(first.text)
  if (!piped && !(first.text.includes('|') && isDelimiter(lines[index + 1]))) return undefined
  const rows: TableRow[] = []
  let next = index
  for (; next < lines.length; next++) {
    const line = lines[next]
    if (line?.kind !== 'text') break
    if (piped ? !beginsWithPipe(line.text) : !line.text.includes('|')) break
    if (isDelimiterRow(line.text)) continue
    rows.push({ line: line.number, raw: line.text, cells: splitCells(line.text) })
  }
  const header = rows.shift()
  if (!header) return { table: { header: [], rows: [] }, next: Math.max(next, index + 1) }
  return { table: { header: header.cells.map((cell) => cell.text), rows }, next }
}

function beginsWithPipe(text: string): boolean {
  if (text === '') return false
  const code = text.charCodeAt(0)
  return code === pipe || (code <= space && text.trimStart().charCodeAt(0) === pipe)
}

function isDelimiter(line: MarkdownLine | undefined): boolean {
  return line?.kind === 'text' && line.text.includes('|') && isDelimiterRow(line.text)
}

/** A delimiter row begins with pipes, spaces and colons up to its first dash; most rows differ at once. */
function isDelimiterRow(text: string): boolean {
  let at = 0
  for (let code = text.charCodeAt(at); code === pipe || code === colon || isSpace(code); )
    code = text.charCodeAt(++at)
  return text.charCodeAt(at) === dash && delimiterRow.test(text)
}

/** The cells of one row; `\|` is a pipe inside a cell, also in code (GitHub's rule). */
export function splitCells(row: string): TableCell[] {
  const cells: TableCell[] = []
  const escaped = row.includes('\\|')
  let end = row.length
  while (end > 0 && isWhite(row, end - 1)) end--
  let start = 0
  while (start < end && isWhite(row, start)) start++
  if (row.charCodeAt(start) === pipe) start++
  let at = row.indexOf('|', start)
  for (; at >= 0 && at < end; at = row.indexOf('|', at + 1)) {
    if (escaped && isEscaped(row, at, start)) continue
    cells.push(cellOf(row, start, at, escaped))
    start = at + 1
  }
  if (start < end) cells.push(cellOf(row, start, end, escaped))
  return cells
}

/** White space of any kind; all of it but these few lies below the space or beyond ASCII. */
function isWhite(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === space || (code < 128 ? code >= 9 && code <= 13 : text[at]?.trim() === '')
}

/** An odd number of backslashes stands before the pipe. */
function isEscaped(row: string, at: number, start: number): boolean {
  let before = at
  while (before > start && row.charCodeAt(before - 1) === backslash) before--
  return (at - before) % 2 === 1
}

function cellOf(row: string, start: number, end: number, escaped: boolean): TableCell {
  let from = start
  while (from < end && isSpace(row.charCodeAt(from))) from++
  let to = end
  while (to > from && isSpace(row.charCodeAt(to - 1))) to--
  const text = row.slice(from, to)
  return { text: escaped ? text.replaceAll('\\|', '|') : text, column: from + 1 }
}
