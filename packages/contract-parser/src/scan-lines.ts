import { backtick, lessThan, pipe, skipSpace, tilde } from './characters.js'
import { columnOf, interruptsParagraph, isBlockStart, isThematicBreak, listMarkerEnd } from './line-starts.js'
import { continueBlock, hideInlineComments, type OpenBlock, openBlock } from './scan-blocks.js'

/**
 * One line of markdown with what a reader of structure must know about it.
 * Offsets count UTF-16 code units of the whole text.
 */
export interface MarkdownLine {
  /** Counts from 1. */
  readonly number: number
  readonly start: number
  /** Offset behind the last character, without the line ending. */
  readonly end: number
  /** The line with comments replaced by spaces of the same length, so that columns hold. */
  readonly text: string
  readonly kind: 'text' | 'code' | 'comment' | 'html' | 'front-matter'
  /** True inside a list item: a heading there opens no section. */
  readonly nested: boolean
}

/** The lines of a text, and the line numbers of a fence or comment that never closes. */
export interface MarkdownScan {
  readonly lines: readonly MarkdownLine[]
  readonly unclosedFence?: number
  readonly unclosedComment?: number
}

/** A line while it is being classified. */
export type OpenLine = { -readonly [Key in keyof MarkdownLine]: MarkdownLine[Key] }

/** What is open behind a line: the columns at which list items hold their text, and whether a paragraph can go on. */
interface Opened {
  list: readonly number[]
  paragraph: boolean
  /** True behind a list marker without text: a blank line then closes its item. */
  emptyItem: boolean
}

/**
 * Classifies every line of a markdown text in one pass: fences (also longer, nested and inside list items),
 * HTML comments, HTML blocks and front matter. Never throws. Block rules are CommonMark's, with one exception:
 * a line of `---` is never taken for a heading's underline, because contracts use it between sections.
 */
export function scanLines(markdown: string): MarkdownScan {
  const lines = splitLines(markdown)
  const comments = markdown.includes('<!--') ? { hopelessUntil: 0 } : undefined
  const opened: Opened = { list: [], paragraph: false, emptyItem: false }
  let block: OpenBlock | undefined
  for (let index = skipFrontMatter(lines); index < lines.length; index++) {
    const line = lines[index] as OpenLine
    const { text } = line
    const at = skipSpace(text, 0)
    const blank = isBlank(text, at)
    if (block && block.type === 'fence' && !blank && columnOf(text, at) < block.container) block = undefined
    if (block) {
      if (!continueBlock(block, line, blank)) block = undefined
      continue
    }
    if (blank) {
      opened.paragraph = false
      if (opened.emptyItem) opened.list = opened.list.slice(0, -1)
      opened.emptyItem = false
      continue
    }
    if (opened.list.length === 0 && isPlain(text, at)) {
      // A row of a table is no paragraph: any list may follow it.
      opened.paragraph =
        text.charCodeAt(at) !== pipe && (opened.paragraph || (at < 4 && columnOf(text, at) < 4))
    } else {
      const place = enterLists(text, at, opened)
      line.nested = place.nested
      block = place.indent < 4 && opensBlock(text, place.offset) ? openBlock(line, place) : undefined
      if (block || line.kind !== 'text') continue
    }
    if (comments && text.includes('<!--')) index = hideInlineComments(lines, index, comments)
  }
  return {
    lines,
    ...(block?.type === 'fence' ? { unclosedFence: block.line } : {}),
    ...(block?.type === 'comment' ? { unclosedComment: block.line } : {}),
  }
}

function splitLines(markdown: string): OpenLine[] {
  const lines: OpenLine[] = []
  let start = markdown.charCodeAt(0) === 0xfeff ? 1 : 0
  if (markdown.includes('\r')) {
    const endings = /\r\n|\n|\r/g
    for (let match = endings.exec(markdown); match; match = endings.exec(markdown)) {
      lines.push(lineOf(markdown, lines.length, start, match.index))
      start = match.index + match[0].length
    }
  } else {
    for (let end = markdown.indexOf('\n', start); end >= 0; end = markdown.indexOf('\n', start)) {
      lines.push(lineOf(markdown, lines.length, start, end))
      start = end + 1
    }
  }
  if (start < markdown.length) lines.push(lineOf(markdown, lines.length, start, markdown.length))
  return lines
}

function lineOf(markdown: string, index: number, start: number, end: number): OpenLine {
  return {
    number: index + 1,
    start,
    end,
    text: start === end ? '' : markdown.slice(start, end),
    kind: 'text',
    nested: false,
  }
}

/** Marks the front matter (`---` on the first line up to the next `---` or `...`) and gives the number of its lines. */
function skipFrontMatter(lines: readonly OpenLine[]): number {
  if (!lines[0]?.text.startsWith('---') || !/^---[ \t]*$/.test(lines[0].text)) return 0
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line.text))
  for (let index = 0; index <= end; index++) (lines[index] as OpenLine).kind = 'front-matter'
  return end + 1
}

function isBlank(text: string, at: number): boolean {
  if (at >= text.length) return true
  const code = text.charCodeAt(at)
  // White space other than space and tab is rare; a line of it alone is blank too.
  return (code < 32 || code >= 0x80) && text.slice(at).trim() === ''
}

/** Whether a line outside lists can only be text of a paragraph: nothing that opens a block begins with such a character. */
function isPlain(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code > tilde || (code > 62 && code < 95) || (code > 96 && code < tilde)) return true
  return !isBlockStart(text, at) && listMarkerEnd(text, at) < 0 && !isThematicBreak(text, at)
}

function opensBlock(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === backtick || code === tilde || code === lessThan
}

/** Where the text of a line stands inside the lists around it. */
export interface Place {
  /** Columns from the innermost list item's text to this line's text. */
  readonly indent: number
  /** Offset of the text behind indentation and list markers. */
  readonly offset: number
  readonly container: number
  readonly nested: boolean
}

/** Markers nested deeper than this are text; a line of thousands of them would take quadratic time. */
const deepestList = 100

function enterLists(text: string, at: number, opened: Opened): Place {
  const { list: open, paragraph } = opened
  let column = columnOf(text, at)
  let offset = at
  let depth = open.length
  while (depth > 0 && (open[depth - 1] ?? 0) > column) depth--
  // A paragraph goes on without its item's indentation ("lazy continuation"): the item stays open.
  if (paragraph && depth < open.length && isLazy(text, at)) depth = open.length
  let list = depth === open.length ? open : open.slice(0, depth)
  let container = depth === 0 ? 0 : (list[depth - 1] ?? 0)
  while (column - container < 4 && list.length < deepestList) {
    const end = listMarkerEnd(text, offset)
    if (end < 0 || isThematicBreak(text, offset)) break
    const entered = offset > at
    if (paragraph && !entered && depth === open.length && !interruptsParagraph(text, offset)) break
    const next = skipSpace(text, end)
    const gap = columnOf(text, next, end)
    container = column + end - offset + (gap >= 1 && gap <= 4 && next < text.length ? gap : 1)
    list = [...list, container]
    column += end - offset + gap
    offset = next
  }
  const indent = Math.max(0, column - container)
  opened.list = list
  opened.emptyItem = offset > at && offset >= text.length
  opened.paragraph =
    offset < text.length &&
    (indent < 4 || paragraph) &&
    !isBlockStart(text, offset) &&
    !isThematicBreak(text, offset)
  return { indent, offset, container, nested: depth > 0 || offset > at }
}

/** Outside its own container any list marker ends a paragraph, also one that could not interrupt it inside. */
function isLazy(text: string, at: number): boolean {
  return !isBlockStart(text, at) && !isThematicBreak(text, at) && listMarkerEnd(text, at) < 0
}

/**
 * The offset behind the code span that opens at `at`; behind the backticks when no span closes on the line. `unclosed`
 * collects the lengths of such runs: a later run of that length has no closer either.
 */
export function skipCode(text: string, at: number, unclosed?: Set<number>): number {
  let length = 1
  while (text.charCodeAt(at + length) === backtick) length++
  if (unclosed?.has(length)) return at + length
  for (let index = text.indexOf('`', at + length); index >= 0; index = text.indexOf('`', index)) {
    const start = index
    while (text.charCodeAt(index) === backtick) index++
    if (index - start === length) return index
  }
  unclosed?.add(length)
  return at + length
}
