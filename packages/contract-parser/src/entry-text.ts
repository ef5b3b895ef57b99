import { isCommand, isExternalPath, looksLikePath, splitAnchor } from './path-text.js'
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
}

type Piece =
  | { readonly type: 'code' | 'link' | 'remark'; readonly text: string }
  | { readonly type: 'text'; readonly text: string }

/**
 * Finds the paths of an entry: link targets and code spans that look like paths, and bare paths where the
 * entry consists of nothing else. Text in parentheses is a remark: never a file, even with a path inside.
 */
export function readEntry(text: string): EntryReading {
  const pieces = splitPieces(text.replace(/\*\*/g, ''))
  const paths: FoundPath[] = []
  const commands: string[] = []
  const marked = pieces.some((piece) => piece.type === 'code' || piece.type === 'link')
  for (const piece of pieces) {
    if (piece.type === 'remark') continue
    if (piece.type === 'text') readPlain(piece.text, marked, paths)
    else if (isCommand(piece.text)) commands.push(piece.text)
    else readMarked(piece.text, paths)
  }
  return {
    paths,
    commands,
    remarks: pieces.filter((piece) => piece.type === 'remark').map((piece) => piece.text),
  }
}

function readMarked(text: string, paths: FoundPath[]): void {
  const [name = '', section] = text.split(/\s+§\s*/)
  const found = pathOf(name.trim(), true)
  if (found) paths.push(section ? { ...found, scope: `§ ${section}` } : found)
}

function readPlain(text: string, marked: boolean, paths: FoundPath[]): void {
  const [before = '', section] = text.split(/\s*§\s*/)
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

function pathOf(text: string, code: boolean): FoundPath | undefined {
  const trimmed = code
    ? text
    : text.replace(/^["'“]|["'”]$/g, '').replace(/[.:]+$/, (end) => (end === '..' ? end : ''))
  if (isExternalPath(trimmed) && !/\s/.test(trimmed)) return { path: trimmed, external: true }
  const { path, anchor } = splitAnchor(trimmed)
  if (!looksLikePath(path, code)) return undefined
  return { path, external: false, ...(anchor ? { scope: `#${anchor}` } : {}) }
}

function splitPieces(text: string): Piece[] {
  const pieces: Piece[] = []
  let plain = ''
  let at = 0
  const flush = () => {
    if (plain.trim() !== '') pieces.push({ type: 'text', text: plain })
    plain = ''
  }
  while (at < text.length) {
    const special = specialAt(text, at)
    if (special) {
      flush()
      pieces.push(special.piece)
      at = special.end
    } else {
      plain += text[at]
      at++
    }
  }
  flush()
  return pieces
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

/** Splits at the first match of a separator outside code spans, links and parentheses. */
export function splitOutside(text: string, separator: RegExp): readonly [string, string] | undefined {
  const sticky = new RegExp(separator.source, `${separator.flags.replace('g', '')}y`)
  let at = 0
  while (at < text.length) {
    sticky.lastIndex = at
    const match = sticky.exec(text)
    if (match && at > 0) return [text.slice(0, at).trim(), text.slice(at + match[0].length).trim()]
    at = specialAt(text, at)?.end ?? at + 1
  }
  return undefined
}
