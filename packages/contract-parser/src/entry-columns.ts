import type { Table, TableCell, TableRow } from './table.js'

const pathHeaders = [
  'file',
  'files',
  'file(s)',
  'file name',
  'filename',
  'file path',
  'path',
  'paths',
  'how to access',
]
const locationHeaders = ['file/location', 'location', 'locations', 'folder', 'where']
const scopeHeaders = ['section/scope', 'scope', 'section', 'sections']
const labelHeaders = ['source', 'input', 'output', 'artifact', 'artefact', 'name']

/** One table row, its cells sorted by what their columns mean. */
export interface EntryRow {
  readonly line: number
  readonly layer?: TableCell
  readonly path?: TableCell
  readonly location?: TableCell
  readonly scope?: TableCell
  readonly label?: TableCell
  readonly required?: TableCell
  /** Cells of all other columns, in order. */
  readonly notes: readonly TableCell[]
  readonly cells: readonly TableCell[]
}

/**
 * Sorts the rows of an inputs or outputs table by the names of its columns. Without a column for the path, the
 * last label column holds it (`Input | Source | Format`), and without that the column with the most cells that `isPath`.
 */
export function readRows(table: Table, isPath: (text: string) => boolean): readonly EntryRow[] {
  const headers = table.header.map((header) =>
    header.replace(/[*_`]/g, '').replace(/\?$/, '').trim().toLowerCase(),
  )
  const find = (names: readonly string[]) => headers.findIndex((header) => names.includes(header))
  const labels = headers.flatMap((header, index) => (labelHeaders.includes(header) ? [index] : []))
  const layer = find(['layer'])
  const scope = find(scopeHeaders)
  const required = find(['required', 'mandatory'])
  const location = find(locationHeaders)
  let path = find(pathHeaders)
  if (path < 0 && location < 0) path = labels.pop() ?? bestPathColumn(table, isPath)
  const label = labels[0] ?? -1
  const known = new Set([layer, scope, required, location, path, label])
  return table.rows.map((row) => ({
    line: row.line,
    cells: row.cells,
    notes: row.cells.filter((_, index) => !known.has(index)),
    ...cell('layer', row, layer),
    ...cell('path', row, path),
    ...cell('location', row, location),
    ...cell('scope', row, scope),
    ...cell('label', row, label),
    ...cell('required', row, required),
  }))
}

function cell<Name extends string>(name: Name, row: TableRow, index: number): { [Key in Name]?: TableCell } {
  const found = index < 0 ? undefined : row.cells[index]
  return (found ? { [name]: found } : {}) as { [Key in Name]?: TableCell }
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
