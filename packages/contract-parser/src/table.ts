import type { MarkdownLine } from './scan-lines.js'

export interface TableCell {
  readonly text: string
  /** Counts from 1, in the line. */
  readonly column: number
}

export interface TableRow {
  readonly line: number
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
  const piped = first.text.trimStart().startsWith('|')
  if (!piped && !(first.text.includes('|') && isDelimiter(lines[index + 1]))) return undefined
  const rows: TableRow[] = []
  let next = index
  for (; next < lines.length; next++) {
    const line = lines[next]
    if (line?.kind !== 'text') break
    if (piped ? !line.text.trimStart().startsWith('|') : !line.text.includes('|')) break
    if (delimiterRow.test(line.text)) continue
    rows.push({ line: line.number, cells: splitCells(line.text) })
  }
  const [header, ...body] = rows
  if (!header) return { table: { header: [], rows: [] }, next: Math.max(next, index + 1) }
  return { table: { header: header.cells.map((cell) => cell.text), rows: body }, next }
}

function isDelimiter(line: MarkdownLine | undefined): boolean {
  return line?.kind === 'text' && line.text.includes('|') && delimiterRow.test(line.text)
}

/** The cells of one row; `\|` is a pipe inside a cell, also in code (GitHub's rule). */
export function splitCells(row: string): TableCell[] {
  const cells: TableCell[] = []
  const end = row.trimEnd().length
  let start = row.length - row.trimStart().length
  if (row[start] === '|') start++
  let at = start
  for (; at < end; at++) {
    if (row[at] === '\\' && row[at + 1] === '|') at++
    else if (row[at] === '|') {
      cells.push(cellOf(row, start, at))
      start = at + 1
    }
  }
  if (start < end) cells.push(cellOf(row, start, end))
  return cells
}

function cellOf(row: string, start: number, end: number): TableCell {
  const source = row.slice(start, end)
  const lead = source.length - source.trimStart().length
  return { text: source.trim().replaceAll('\\|', '|'), column: start + lead + 1 }
}
