import type { Table, TableCell, TableRow } from './table.js'

type Column = 'path' | 'location' | 'scope' | 'label' | 'layer' | 'required' | 'optional' | 'note'

const columnNames: readonly (readonly [Column, string])[] = [
  ['path', 'file|files|file(s)|file name|filename|file path|path|paths|how to access|save as'],
  ['location', 'file/location|location|locations|folder|where|saved to|save to|destination'],
  ['scope', 'section/scope|scope|section|sections|section(s)|part|parts|portion|how much|load'],
  ['label', 'source|input|output|artifact|artefact|name|document|item|what|material|resource|deliverable'],
  ['layer', 'layer'],
  ['required', 'required|mandatory|needed|must have'],
  ['optional', 'optional'],
  // A column of another name is a note too; these are only found sooner.
  ['note', 'why|purpose|format|notes|use'],
]

/** By the name in lower case, and as most people write it: with capitals. */
const columnOfHeader: ReadonlyMap<string, Column> = new Map(
  columnNames.flatMap(([column, names]) =>
    names
      .split('|')
      .flatMap((name) => [name, name.replace(/(?<![a-z(])[a-z]/g, (letter) => letter.toUpperCase())])
      .map((name) => [name, column] as const),
  ),
)

function columnOf(header: string): Column | undefined {
  return (
    columnOfHeader.get(header) ??
    columnOfHeader.get(header.toLowerCase()) ??
    columnOfHeader.get(plainHeader(header))
  )
}

/** One table row, its cells sorted by what their columns mean. */
export interface EntryRow {
  readonly line: number
  /** The whole line. */
  readonly raw: string
  readonly layer: TableCell | undefined
  readonly path: TableCell | undefined
  readonly location: TableCell | undefined
  readonly scope: TableCell | undefined
  readonly label: TableCell | undefined
  readonly required: TableCell | undefined
  /** The reverse of `required`. */
  readonly optional: TableCell | undefined
  /** Cells of all other columns, in order. */
  readonly notes: readonly TableCell[]
  readonly cells: readonly TableCell[]
}

/**
 * Sorts the rows of an inputs or outputs table by the names of its columns. Without a column for the path, the
 * last label column holds it (`Input | Source | Format`), and if none of its cells `isPath` the column with the most that are.
 */
export function readRows(table: Table, isPath: (text: string) => boolean): readonly EntryRow[] {
  const columns = table.header.map(columnOf)
  const layer = columns.indexOf('layer')
  const scope = columns.indexOf('scope')
  const required = columns.indexOf('required')
  const optional = columns.indexOf('optional')
  const location = columns.indexOf('location')
  let path = columns.indexOf('path')
  let label = columns.indexOf('label')
  if (path < 0 && location < 0) {
    path = columns.lastIndexOf('label')
    if (!table.rows.some((row) => isPath(row.cells[path]?.text ?? ''))) {
      const best = bestPathColumn(table, isPath)
      if (best >= 0) path = best
    }
    if (label === path) label = -1
  }
  const taken = (index: number) =>
    index === layer ||
    index === scope ||
    index === required ||
    index === optional ||
    index === location ||
    index === path ||
    index === label
  const notes: number[] = []
  for (let index = 0; index < columns.length; index++) {
    if (!taken(index)) notes.push(index)
  }
  return table.rows.map(({ line, raw, cells }: TableRow) => ({
    line,
    raw,
    cells,
    notes: notesOf(cells, notes, columns.length),
    layer: cellAt(cells, layer),
    path: cellAt(cells, path),
    location: cellAt(cells, location),
    scope: cellAt(cells, scope),
    label: cellAt(cells, label),
    required: cellAt(cells, required),
    optional: cellAt(cells, optional),
  }))
}

/** The cells at some places, and those behind the last column. */
function notesOf(cells: readonly TableCell[], places: readonly number[], width: number): TableCell[] {
  const notes: TableCell[] = []
  for (const place of places) {
    const cell = cells[place]
    if (cell) notes.push(cell)
  }
  for (let place = width; place < cells.length; place++) notes.push(cells[place] as TableCell)
  return notes
}

/** Reading an array at -1 is slow: it is looked up as a name. */
function cellAt(cells: readonly TableCell[], index: number): TableCell | undefined {
  return index < 0 ? undefined : cells[index]
}

function plainHeader(header: string): string {
  return header.replace(/[*_`]/g, '').replace(/\?$/, '').trim().toLowerCase()
}

function bestPathColumn(table: Table, isPath: (text: string) => boolean): number {
  let best = -1
  let most = 0
  for (let column = 0; column < table.header.length; column++) {
    const count = table.rows.filter((row) => isPath(row.cells[column]?.text ?? '')).length
    if (count > most) {
      best = column
      most = count
    }
  }
  return best
}

/** Folder and name joined when the folder column holds a folder and the other a plain name. */
export function joinFolder(folder: string, name: string): string {
  if (folder === '' || folder === './') return name
  return folder.endsWith('/') ? `${folder}${name.replace(/^\.\//, '')}` : folder
}
