/** Lists are shown up to this many entries of a kind. */
const SHOWN = 8
const SHOWN_COLUMNS = 20
const MAX_SHAPE_DEPTH = 4
const MAX_NAME_CHARACTERS = 60

/**
 * A list of files as counts per folder and per type: about 200 tokens, however long the list is. Paths are separated by
 * `/` or `\`; `next` says how to see single files and ends the summary.
 */
export function summarizeFileList(paths: readonly string[], next?: string): string {
  const files = paths.map((path) => path.replaceAll('\\', '/').replace(/^\.\//, '').split('/'))
  const types = countBy(files, (parts) => typeOf(parts.at(-1) ?? ''))
  const folders = new Set(files.map((parts) => parts.slice(0, -1).join('/')))
  const depth = sharedDepth(files) + 1
  const byFolder = countBy(files, (parts) =>
    parts.length > depth
      ? `${parts.slice(0, depth).join('/')}/`
      : `${parts.slice(0, -1).join('/')}/`.replace(/^\/$/, './'),
  )
  const lines = [
    `${number(paths.length)} ${paths.length === 1 ? 'file' : 'files'} in ${number(folders.size)} ${folders.size === 1 ? 'folder' : 'folders'}.`,
    `By type: ${listCounts(types, 'types')}.`,
    `By folder: ${listCounts(byFolder, 'folders')}.`,
    `For example: ${
      paths[0] === undefined
        ? 'none'
        : paths
            .filter((_, index) => index === 0 || index === paths.length - 1)
            .map(shortened)
            .join(', ')
    }.`,
  ]
  return [...lines, ...(next === undefined ? [] : [next])].join('\n')
}

/** JSON as its shape: types of its values, keys, lengths of lists. Undefined for a text that is no JSON object or list. */
export function summarizeJson(text: string): string | undefined {
  const trimmed = text.trim()
  if (!/^[{[]/.test(trimmed)) return undefined
  try {
    return `JSON, ${number(text.length)} characters. Shape: ${shapeOf(JSON.parse(trimmed), 0)}`
  } catch {
    return undefined
  }
}

/** A table (CSV, tab-separated or markdown) as its header, first and last row and number of rows; else undefined. */
export function summarizeTable(text: string): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^[\s|:-]+$/.test(line))
  const [header, first] = lines
  const separator = [...'\t|;,'].find((candidate) => (header?.split(candidate).length ?? 0) > 1)
  if (header === undefined || first === undefined || separator === undefined || lines.length < 3)
    return undefined
  const columns = header.split(separator).length
  const alike = lines.filter((line) => line.split(separator).length >= columns).length
  // Prose has commas too, but not as many in every line.
  if (alike < lines.length * 0.9) return undefined
  const names = header
    .split(separator)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const shown = names.slice(0, SHOWN_COLUMNS).map(shortened).join(', ')
  const more = names.length > SHOWN_COLUMNS ? ` and ${names.length - SHOWN_COLUMNS} more` : ''
  return [
    `Table of ${number(lines.length - 1)} rows and ${names.length} columns: ${shown}${more}.`,
    `First row: ${rowOf(first)}`,
    `Last row: ${rowOf(lines.at(-1) ?? '')}`,
  ].join('\n')
}

export interface PageOptions {
  /** First item, from 1. */
  readonly from: number
  readonly count: number
  /** Of all items; default the number of those given. */
  readonly total?: number
  /** The call that shows what follows, such as `` (from) => `find_documents(from=${from})` ``. */
  readonly nextCall: (from: number) => string
}

/** Some of many items, with which they are and the call for the following ones. */
export function pageItems(items: readonly string[], { from, count, total, nextCall }: PageOptions): string {
  const all = total ?? items.length
  const shown = items.slice(from - 1, from - 1 + count)
  if (shown.length === 0) return `No results from ${from} on; there are ${number(all)}.`
  const to = from + shown.length - 1
  const next = to < all ? `; for more call ${nextCall(to + 1)}` : ''
  return `Results ${from}–${to} of ${number(all)}${next}.\n${shown.join('\n')}`
}

/** How many leading folders all files share. */
function sharedDepth(files: readonly (readonly string[])[]): number {
  const [first = []] = files
  let depth = 0
  while (
    depth < first.length - 1 &&
    files.every((parts) => parts.length > depth + 1 && parts[depth] === first[depth])
  )
    depth++
  return depth
}

function typeOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 && name.length - dot <= 12 ? name.slice(dot).toLowerCase() : 'without type'
}

function countBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const item of items) {
    const key = keyOf(item)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].sort(([one, left], [other, right]) => right - left || one.localeCompare(other))
}

function listCounts(counts: readonly (readonly [string, number])[], kind: string): string {
  const shown = counts.slice(0, SHOWN).map(([key, count]) => `${shortened(key)} ${number(count)}`)
  const rest = counts.slice(SHOWN)
  if (rest.length === 0) return shown.join(', ')
  return `${shown.join(', ')}, ${rest.length} other ${kind} ${number(rest.reduce((sum, [, count]) => sum + count, 0))}`
}

function shapeOf(value: unknown, depth: number): string {
  if (value === null) return 'null'
  if (Array.isArray(value))
    return value.length === 0 ? '[]' : `list of ${number(value.length)} × ${shapeOf(value[0], depth + 1)}`
  if (typeof value !== 'object') return typeof value
  const keys = Object.entries(value)
  if (depth >= MAX_SHAPE_DEPTH) return `object of ${keys.length} keys`
  const shown = keys
    .slice(0, SHOWN_COLUMNS)
    .map(([key, inner]) => `${shortened(key)}: ${shapeOf(inner, depth + 1)}`)
  return `{${shown.join(', ')}${keys.length > SHOWN_COLUMNS ? `, … ${keys.length - SHOWN_COLUMNS} more keys` : ''}}`
}

function rowOf(line: string): string {
  return line.length <= 200 ? line : `${line.slice(0, 199).toWellFormed()}…`
}

function shortened(name: string): string {
  return name.length <= MAX_NAME_CHARACTERS ? name : `…${name.slice(1 - MAX_NAME_CHARACTERS).toWellFormed()}`
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
