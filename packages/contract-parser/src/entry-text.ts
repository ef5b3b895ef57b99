import { backtick } from './characters.js'
import { isCommand, isExternalPath, looksLikePath, plainPath, splitAnchor } from './path-text.js'
import { skipCode } from './scan-lines.js'

/** A path found in an entry, with the part of the file that stands right behind it (`#slug`, `§ Name`). */
export interface FoundPath {
  readonly path: string
  readonly external: boolean
  readonly scope?: string
}

/** What one cell or one bullet names. */
export interface EntryReading {
  readonly paths: readonly FoundPath[]
  readonly commands: readonly string[]
  /** The texts of its parentheses, without them. */
  readonly remarks: readonly string[]
  /** Plain words behind a path that name none. */
  readonly words: readonly string[]
}

type Piece =
  | { readonly type: 'code' | 'link' | 'remark'; readonly text: string }
  | { readonly type: 'text'; readonly text: string }

/**
 * Finds the paths of an entry: link targets and code spans that look like paths, and bare paths where the
 * entry consists of nothing else. Text in parentheses is a remark: never a file, even with a path inside.
 */
export function readEntry(text: string): EntryReading {
  if (text.length > longestEntry || !anyMark.test(text)) return nothing
  const whole = wholeCode(text)
  if (whole !== undefined) return readWholeCode(whole)
  const pieces = splitPieces(text.includes('**') ? text.replaceAll('**', '') : text)
  const paths: FoundPath[] = []
  const commands: string[] = []
  const remarks: string[] = []
  const words: string[] = []
  const marked = pieces.some((piece) => piece.type === 'code' || piece.type === 'link')
  for (const piece of pieces) {
    if (piece.type === 'remark') remarks.push(piece.text)
    else if (piece.type === 'text') {
      const before = paths.length
      readPlain(piece.text, marked, paths)
      if (before > 0 && paths.length === before) words.push(piece.text.trim())
    } else if (isCommand(piece.text)) commands.push(piece.text)
    else readMarked(piece.text, paths)
  }
  return { paths, commands, remarks, words }
}

/** A longer line is no entry that a person wrote; looking for spans in it could take quadratic time. */
const longestEntry = 4000
const none: readonly never[] = []
const nothing: EntryReading = { paths: none, commands: none, remarks: none, words: none }
/** Without one of these a text names no path, no command and no remark. */
const anyMark = /[`[(/.@~:§]/

/** What stands in one pair of backticks, when the text is nothing else; most entries are. */
function wholeCode(text: string): string | undefined {
  const last = text.length - 1
  if (last < 2 || text.charCodeAt(0) !== backtick || text.charCodeAt(last) !== backtick) return undefined
  if (text.indexOf('`', 1) !== last || text.includes('**')) return undefined
  return text.slice(1, last).trim() || undefined
}

function readWholeCode(code: string): EntryReading {
  if (plainPath.test(code)) return { ...nothing, paths: [{ path: code, external: false }] }
  if (isCommand(code)) return { ...nothing, commands: [code] }
  const paths: FoundPath[] = []
  readMarked(code, paths)
  return { ...nothing, paths }
}

function readMarked(text: string, paths: FoundPath[]): void {
  const { before: name, section } = splitSection(text)
  const found = pathOf(name.trim(), true)
  if (found) paths.push(section ? { ...found, scope: `§ ${section}` } : found)
}

function readPlain(text: string, marked: boolean, paths: FoundPath[]): void {
  const { before, section } = splitSection(text)
  // Prose without a mark of a path is not looked at word by word.
  if (section === undefined && !/[/.~@:]/.test(before)) return
  const parts = before
    .split(/\s*[,;]\s+|\s*[,;]$|\s+(?:and|\+|&)\s+|^\s*(?:and|\+|&)\s+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const found = parts.map((part) => pathOf(part, false))
  if (marked || found.every((path) => path !== undefined)) {
    for (const path of found) if (path) paths.push(path)
  }
  const last = paths.at(-1)
  if (section?.trim() && last) paths[paths.length - 1] = { ...last, scope: `§ ${section.trim()}` }
}

/** `x.md § Name and § Other` at its first `§`. */
function splitSection(text: string): { readonly before: string; readonly section?: string } {
  const at = text.indexOf('§')
  return at < 0
    ? { before: text }
    : { before: text.slice(0, at).trimEnd(), section: text.slice(at + 1).trim() }
}

function pathOf(text: string, code: boolean): FoundPath | undefined {
  const trimmed = code
    ? text
    : text.replace(/^["'“]|["'”]$/g, '').replace(/[.:]+$/, (end) => (end === '..' ? end : ''))
  if (isExternalPath(trimmed) && !/\s/.test(trimmed)) return { path: trimmed, external: true }
  const { path, scope } = splitAnchor(trimmed)
  if (!looksLikePath(path, code)) return undefined
  return { path, external: false, ...(scope ? { scope } : {}) }
}

function splitPieces(text: string): Piece[] {
  const pieces: Piece[] = []
  let plainFrom = 0
  let at = nextSpecial(text, 0)
  while (at < text.length) {
    const special = specialAt(text, at)
    if (!special) {
      at = nextSpecial(text, at + 1)
      continue
    }
    if (text.slice(plainFrom, at).trim() !== '')
      pieces.push({ type: 'text', text: text.slice(plainFrom, at) })
    pieces.push(special.piece)
    plainFrom = special.end
    at = nextSpecial(text, special.end)
  }
  if (text.slice(plainFrom).trim() !== '') pieces.push({ type: 'text', text: text.slice(plainFrom) })
  return pieces
}

/** The next place from `at` on where a code span, a link or a remark can begin; the text's length when there is none. */
function nextSpecial(text: string, at: number): number {
  for (let index = at; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === backtick || code === 91 || code === 40) return index
  }
  return text.length
}

function specialAt(text: string, at: number): { piece: Piece; end: number } | undefined {
  if (text[at] === '`') {
    const end = skipCode(text, at)
    const code = text
      .slice(at, end)
      .replace(/^`+|`+$/g, '')
      .trim()
    return { piece: code ? { type: 'code', text: code } : { type: 'text', text: text.slice(at, end) }, end }
  }
  if (text[at] === '[') {
    const link = /^\[(?:[^[\]]|\[[^[\]]*\])*\]\(\s*<?([^()<>\s]+)>?(?:\s+"[^"]*")?\s*\)/.exec(
      text.slice(at, at + 600),
    )
    return link?.[1] ? { piece: { type: 'link', text: link[1] }, end: at + link[0].length } : undefined
  }
  // A parenthesis glued to a word belongs to a name, such as `notes(1).md`.
  if (text[at] !== '(' || /[\w]/.test(text[at - 1] ?? '')) return undefined
  const end = closingParenthesis(text, at)
  return {
    piece: { type: 'remark', text: text.slice(at + 1, end).trim() },
    end: Math.min(text.length, end + 1),
  }
}

/** The offset of the `)` that closes the `(` at `at`; the text's length when none does. */
function closingParenthesis(text: string, at: number): number {
  let depth = 0
  for (let index = at; index < text.length; index++) {
    if (text[index] === '`') index = skipCode(text, index) - 1
    else if (text[index] === '(') depth++
    else if (text[index] === ')' && --depth === 0) return index
  }
  return text.length
}

/** Splits at the first match of a separator (a global pattern) outside code spans, links and parentheses. */
export function splitOutside(text: string, search: RegExp): readonly [string, string] | undefined {
  if (text.length > longestEntry) return undefined
  search.lastIndex = 0
  let special = nextSpecial(text, 0)
  for (let match = search.exec(text); match; ) {
    // Step over what begins before the match; a match inside it does not count.
    while (special < match.index) {
      const end = specialAt(text, special)?.end ?? special + 1
      if (end > match.index) {
        search.lastIndex = end
        match = search.exec(text)
        if (!match) return undefined
      }
      special = nextSpecial(text, end)
    }
    if (match.index > 0)
      return [text.slice(0, match.index).trim(), text.slice(match.index + match[0].length).trim()]
    search.lastIndex = 1
    match = search.exec(text)
  }
  return undefined
}
