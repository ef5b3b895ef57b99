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

interface RawLine {
  readonly number: number
  readonly start: number
  readonly end: number
  readonly text: string
}

type Block =
  | { readonly type: 'fence'; readonly marker: string; readonly container: number; readonly line: number }
  | { readonly type: 'comment'; readonly line: number }
  | { readonly type: 'html'; readonly end: RegExp }

const fencePattern = /^(`{3,})([^`]*)$|^(~{3,})(.*)$/
const rawHtmlPattern = /^<(pre|script|style|textarea)(?=[\s>]|$)/i
// The tags that open an HTML block which lasts until a blank line (CommonMark 0.31, HTML blocks, kind 6).
const blockHtmlPattern =
  /^<\/?(address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=[\s>]|\/>|$)/i
const thematicBreak = /^([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const listMarker = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/

/**
 * Classifies every line of a markdown text in one pass: fences (also longer, nested and inside list items),
 * HTML comments, HTML blocks and front matter. Never throws. Block rules are CommonMark's, with one exception:
 * a line of `---` is never taken for a heading's underline, because contracts use it between sections.
 */
export function scanLines(markdown: string): MarkdownScan {
  const raw = splitLines(markdown)
  const lines: MarkdownLine[] = []
  let block: Block | undefined
  let list: number[] = []
  let paragraph = false
  let index = frontMatterEnd(raw)
  for (let skipped = 0; skipped < index; skipped++) lines.push(plainLine(raw[skipped], 'front-matter'))
  while (index < raw.length) {
    const line = raw[index] as RawLine
    const blank = line.text.trim() === ''
    if (block?.type === 'fence' && !blank && indentOf(line.text) < block.container) block = undefined
    if (block) {
      const step: { line: MarkdownLine; open: boolean } = continueBlock(block, line, blank)
      lines.push(step.line)
      if (!step.open) block = undefined
      index++
      continue
    }
    if (blank) {
      lines.push(plainLine(line, 'text'))
      paragraph = false
      index++
      continue
    }
    const place = enterLists(line.text, list, paragraph)
    list = place.list
    paragraph = place.paragraph
    const opened = openBlock(line, place)
    if (opened) {
      lines.push(opened.line)
      block = opened.block
      index++
      continue
    }
    const inline = hideInlineComments(raw, index)
    for (const [offset, text] of inline.entries()) {
      const source = raw[index + offset] as RawLine
      lines.push({ ...source, text, kind: offset === 0 ? 'text' : 'comment', nested: place.nested })
    }
    index += inline.length
  }
  return {
    lines,
    ...(block?.type === 'fence' ? { unclosedFence: block.line } : {}),
    ...(block?.type === 'comment' ? { unclosedComment: block.line } : {}),
  }
}

function splitLines(markdown: string): RawLine[] {
  const lines: RawLine[] = []
  const endings = /\r\n|\n|\r/g
  let start = markdown.charCodeAt(0) === 0xfeff ? 1 : 0
  for (let match = endings.exec(markdown); match; match = endings.exec(markdown)) {
    lines.push({
      number: lines.length + 1,
      start,
      end: match.index,
      text: markdown.slice(start, match.index),
    })
    start = match.index + match[0].length
  }
  if (start < markdown.length) {
    lines.push({ number: lines.length + 1, start, end: markdown.length, text: markdown.slice(start) })
  }
  return lines
}

function plainLine(line: RawLine | undefined, kind: MarkdownLine['kind']): MarkdownLine {
  const source = line ?? { number: 1, start: 0, end: 0, text: '' }
  return { ...source, kind, nested: false }
}

/** The number of front matter lines: `---` on the first line up to the next `---` or `...`; else 0. */
function frontMatterEnd(lines: readonly RawLine[]): number {
  if (!/^---[ \t]*$/.test(lines[0]?.text ?? '')) return 0
  for (let index = 1; index < lines.length; index++) {
    if (/^(---|\.\.\.)[ \t]*$/.test(lines[index]?.text ?? '')) return index + 1
  }
  return 0
}

/** Width of the leading white space in columns; a tab reaches the next multiple of 4. */
function indentOf(text: string): number {
  let column = 0
  for (const character of text) {
    if (character === ' ') column++
    else if (character === '\t') column += 4 - (column % 4)
    else break
  }
  return column
}

interface Place {
  readonly list: number[]
  /** Columns from the innermost list item's text to this line's text. */
  readonly indent: number
  /** The line's text behind indentation and list markers. */
  readonly content: string
  readonly container: number
  readonly nested: boolean
  /** Whether a paragraph is open behind this line. */
  readonly paragraph: boolean
}

/** Markers nested deeper than this are text; a line of thousands of them would take quadratic time. */
const deepestList = 100
const blockStart = /^(?:#{1,6}(?:[ \t]|$)|`{3}|~{3}|>|<)/

function enterLists(text: string, open: readonly number[], paragraph: boolean): Place {
  let column = indentOf(text)
  let content = text.trimStart()
  let list = open.filter((content) => content <= column)
  const plain = !blockStart.test(content) && !thematicBreak.test(content)
  // A paragraph goes on without its item's indentation ("lazy continuation"): the item stays open.
  if (paragraph && plain && !interruptsParagraph(content)) list = [...open]
  let container = list.at(-1) ?? 0
  const nested = list.length > 0
  let entered = false
  while (column - container < 4 && list.length < deepestList && !thematicBreak.test(content)) {
    const marker = listMarker.exec(content)?.[0]
    if (!marker || (paragraph && !entered && list.length === open.length && !interruptsParagraph(content)))
      break
    const rest = content.slice(marker.length)
    const gap = indentOf(rest)
    container = column + marker.length + (gap >= 1 && gap <= 4 && rest.trim() !== '' ? gap : 1)
    list.push(container)
    column += marker.length + gap
    content = rest.trimStart()
    entered = true
  }
  const indent = Math.max(0, column - container)
  const opens =
    content !== '' && (indent < 4 || paragraph) && !blockStart.test(content) && !thematicBreak.test(content)
  return { list, indent, content, container, nested: nested || entered, paragraph: opens }
}

/** Only an item with text may follow a paragraph without a blank line, and an ordered one only from 1. */
function interruptsParagraph(content: string): boolean {
  return /^(?:[-*+]|1[.)])[ \t]+\S/.test(content)
}

function openBlock(
  line: RawLine,
  place: Place,
): { line: MarkdownLine; block: Block | undefined } | undefined {
  if (place.indent >= 4) return undefined
  const fence = fencePattern.exec(place.content)
  const marker = fence?.[1] ?? fence?.[3]
  if (marker) {
    const block: Block = { type: 'fence', marker, container: place.container, line: line.number }
    return { line: { ...line, kind: 'code', nested: place.nested }, block }
  }
  if (place.nested) return undefined
  if (place.content.startsWith('<!--')) {
    const hidden = hideComment(line.text, line.text.indexOf('<!--'))
    // Text behind a comment that closes on its own line is read like any other line.
    if (hidden.closed) return undefined
    return {
      line: { ...line, text: hidden.text, kind: 'comment', nested: false },
      block: { type: 'comment', line: line.number },
    }
  }
  const rawTag = rawHtmlPattern.exec(place.content)?.[1]
  if (rawTag) {
    const end = new RegExp(`</${rawTag}>`, 'i')
    const block: Block | undefined = end.test(place.content) ? undefined : { type: 'html', end }
    return { line: { ...line, kind: 'html', nested: false }, block }
  }
  if (blockHtmlPattern.test(place.content)) {
    return { line: { ...line, kind: 'html', nested: false }, block: { type: 'html', end: /^\s*$/ } }
  }
  return undefined
}

function continueBlock(block: Block, line: RawLine, blank: boolean): { line: MarkdownLine; open: boolean } {
  if (block.type === 'fence') {
    const content = line.text.trim()
    const closes =
      indentOf(line.text) - block.container < 4 &&
      content.length >= block.marker.length &&
      content.split('').every((character) => character === block.marker[0])
    return { line: plainLine(line, 'code'), open: !closes }
  }
  if (block.type === 'html') {
    const closes = block.end.test(line.text)
    return { line: plainLine(line, blank ? 'text' : 'html'), open: !closes }
  }
  const end = line.text.indexOf('-->')
  if (end < 0)
    return {
      line: { ...line, text: ' '.repeat(line.text.length), kind: 'comment', nested: false },
      open: true,
    }
  const text = ' '.repeat(end + 3) + line.text.slice(end + 3)
  return { line: { ...line, text, kind: 'comment', nested: false }, open: false }
}

function hideComment(text: string, start: number): { text: string; closed: boolean; end: number } {
  const short = /^<!--(>|->)/.exec(text.slice(start))?.[0].length
  const found = text.indexOf('-->', start + 4)
  const end = short ? start + short : found < 0 ? text.length : found + 3
  const closed = short !== undefined || found >= 0
  return { text: text.slice(0, start) + ' '.repeat(end - start) + text.slice(end), closed, end }
}

/**
 * The text of line `index` without its comments; more lines when a comment in the middle of a line closes
 * in a later line of the same paragraph. `<!--` inside a code span is text.
 */
function hideInlineComments(lines: readonly RawLine[], index: number): string[] {
  let text = lines[index]?.text ?? ''
  if (!text.includes('<!--')) return [text]
  let at = 0
  while (at < text.length) {
    if (text[at] === '`') {
      at = skipCode(text, at)
    } else if (text.startsWith('<!--', at)) {
      const hidden = hideComment(text, at)
      if (!hidden.closed) return hideAcrossLines(lines, index, text, at)
      text = hidden.text
      at = hidden.end
    } else {
      at++
    }
  }
  return [text]
}

function hideAcrossLines(lines: readonly RawLine[], index: number, text: string, start: number): string[] {
  const hidden = [text.slice(0, start) + ' '.repeat(text.length - start)]
  for (let next = index + 1; next < lines.length; next++) {
    const line = lines[next]?.text ?? ''
    // A new block ends the paragraph, and with it the chance of a comment: then `<!--` was only text.
    if (line.trim() === '' || /^ {0,3}(#{1,6}(\s|$)|`{3}|~{3}|>|[-*+][ \t]|\d{1,9}[.)][ \t])/.test(line))
      break
    const end = line.indexOf('-->')
    if (end >= 0) return [...hidden, ' '.repeat(end + 3) + line.slice(end + 3)]
    hidden.push(' '.repeat(line.length))
  }
  return [text]
}

/** The offset behind the code span that opens at `at`; behind the backticks when no span closes on the line. */
export function skipCode(text: string, at: number): number {
  let length = 1
  while (text[at + length] === '`') length++
  const runs = /`+/g
  runs.lastIndex = at + length
  for (let run = runs.exec(text); run; run = runs.exec(text)) {
    if (run[0].length === length) return run.index + length
  }
  return at + length
}
