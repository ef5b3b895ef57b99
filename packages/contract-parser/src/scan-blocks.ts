import { backtick, skipSpace } from './characters.js'
import { columnOf } from './line-starts.js'
import { type OpenLine, type Place, skipCode } from './scan-lines.js'

/** A block that goes on below the line that opened it. */
export type OpenBlock =
  | { readonly type: 'fence'; readonly marker: string; readonly container: number; readonly line: number }
  | { readonly type: 'comment'; readonly line: number }
  | { readonly type: 'html'; readonly end: RegExp }

const fencePattern = /^(`{3,})[^`]*$|^(~{3,})/
const rawHtmlPattern = /^<(pre|script|style|textarea)(?=[\s>]|$)/i
// The tags that open an HTML block which lasts until a blank line (CommonMark 0.31, HTML blocks, kind 6).
const blockHtmlPattern =
  /^<\/?(address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=[\s>]|\/>|$)/i

/**
 * The fence, comment or HTML block that a line opens; its `kind` and text are set. Undefined with another kind than
 * `text`: the block ends on its own line.
 */
export function openBlock(line: OpenLine, place: Place): OpenBlock | undefined {
  const content = line.text.slice(place.offset)
  const fence = fencePattern.exec(content)
  const marker = fence?.[1] ?? fence?.[2]
  if (marker) {
    line.kind = 'code'
    return { type: 'fence', marker, container: place.container, line: line.number }
  }
  if (place.nested) return undefined
  if (content.startsWith('<!--')) {
    // Text behind a comment that closes on its own line is read like any other line.
    if (commentAt(line.text, place.offset).closed) return undefined
    line.text = line.text.slice(0, place.offset) + ' '.repeat(line.text.length - place.offset)
    line.kind = 'comment'
    return { type: 'comment', line: line.number }
  }
  const rawTag = rawHtmlPattern.exec(content)?.[1]
  if (rawTag) {
    line.kind = 'html'
    const end = new RegExp(`</${rawTag}>`, 'i')
    return end.test(content) ? undefined : { type: 'html', end }
  }
  if (!blockHtmlPattern.test(content)) return undefined
  line.kind = 'html'
  return { type: 'html', end: /^\s*$/ }
}

/** Classifies a line inside an open block; whether the block goes on. */
export function continueBlock(block: OpenBlock, line: OpenLine, blank: boolean): boolean {
  if (block.type === 'fence') {
    line.kind = 'code'
    return !closesFence(block, line.text)
  }
  if (block.type === 'html') {
    line.kind = blank ? 'text' : 'html'
    return !block.end.test(line.text)
  }
  const end = line.text.indexOf('-->')
  line.kind = 'comment'
  line.text = end < 0 ? ' '.repeat(line.text.length) : ' '.repeat(end + 3) + line.text.slice(end + 3)
  return end < 0
}

function closesFence({ marker, container }: OpenBlock & { type: 'fence' }, text: string): boolean {
  const start = skipSpace(text, 0)
  const code = marker.charCodeAt(0)
  let end = start
  while (text.charCodeAt(end) === code) end++
  return (
    end - start >= marker.length &&
    skipSpace(text, end) >= text.length &&
    columnOf(text, start) - container < 4
  )
}

interface Comment {
  /** Offset behind it; the text's length when it does not close. */
  readonly end: number
  readonly closed: boolean
}

function commentAt(text: string, start: number): Comment {
  const short = /^<!--(>|->)/.exec(text.slice(start, start + 6))?.[0].length
  if (short) return { end: start + short, closed: true }
  const found = text.indexOf('-->', start + 4)
  return found < 0 ? { end: text.length, closed: false } : { end: found + 3, closed: true }
}

/** How far a search for `-->` has found none: another comment that opens before that line does not close either. */
export interface OpenComments {
  hopelessUntil: number
}

/**
 * Hides the comments of line `index`, also one in the middle of a line that closes in a later line of the same paragraph.
 * `<!--` inside a code span is text. Gives the index of the last line that was read.
 */
export function hideInlineComments(lines: readonly OpenLine[], index: number, open: OpenComments): number {
  const line = lines[index] as OpenLine
  const { text } = line
  const unclosed = new Set<number>()
  let shown = ''
  let last = 0
  let end = index
  for (let at = 0; at < text.length; ) {
    if (text.charCodeAt(at) === backtick) {
      at = skipCode(text, at, unclosed)
    } else if (text.startsWith('<!--', at)) {
      const comment = commentAt(text, at)
      if (!comment.closed) {
        end = closingLine(lines, index, open)
        if (end === index) break
      }
      shown += text.slice(last, at) + ' '.repeat(comment.end - at)
      at = comment.end
      last = at
    } else {
      at++
    }
  }
  if (last > 0) line.text = shown + text.slice(last)
  for (let next = index + 1; next <= end; next++) hideLine(lines[next] as OpenLine, line.nested)
  return end
}

/** The line in which a comment that opened in line `index` closes; `index` when it does not. */
function closingLine(lines: readonly OpenLine[], index: number, open: OpenComments): number {
  if (index < open.hopelessUntil) return index
  let next = index + 1
  for (; next < lines.length; next++) {
    const text = lines[next]?.text ?? ''
    // A new block ends the paragraph, and with it the chance of a comment: then `<!--` was only text.
    if (text.trim() === '' || newBlock.test(text)) break
    if (text.includes('-->')) return next
  }
  open.hopelessUntil = next
  return index
}

const newBlock = /^ {0,3}(?:#{1,6}(?:\s|$)|`{3}|~{3}|>|[-*+][ \t]|\d{1,9}[.)][ \t])/

function hideLine(line: OpenLine, nested: boolean): void {
  const end = line.text.indexOf('-->')
  line.text = end < 0 ? ' '.repeat(line.text.length) : ' '.repeat(end + 3) + line.text.slice(end + 3)
  line.kind = 'comment'
  line.nested = nested
}
