import {
  asterisk,
  dash,
  dot,
  greaterThan,
  hash,
  isSpace,
  lessThan,
  plus,
  space,
  tab,
  tilde,
  underscore,
} from './characters.js'

/** Whether a line's text is a thematic break from `at` on: three or more equal `-`, `*` or `_`, with spaces between. */
export function isThematicBreak(text: string, at: number): boolean {
  const mark = text.charCodeAt(at)
  if (mark !== dash && mark !== asterisk && mark !== underscore) return false
  let count = 0
  for (let index = at; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === mark) count++
    else if (!isSpace(code)) return false
  }
  return count >= 3
}

/** The offset behind the list marker at `at` (`-`, `*`, `+`, `1.`, `1)`, followed by white space or nothing), or -1. */
export function listMarkerEnd(text: string, at: number): number {
  if (at >= text.length) return -1
  const code = text.charCodeAt(at)
  let end = at + 1
  if (code >= 48 && code <= 57) {
    while (end - at < 9 && isDigit(text.charCodeAt(end))) end++
    const delimiter = text.charCodeAt(end)
    if (delimiter !== dot && delimiter !== 41) return -1
    end++
  } else if (code !== dash && code !== asterisk && code !== plus) {
    return -1
  }
  return end >= text.length || isSpace(text.charCodeAt(end)) ? end : -1
}

/** A decimal digit. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Only an item with text may follow a paragraph without a blank line, and an ordered one only from 1. */
export function interruptsParagraph(text: string, at: number): boolean {
  const end = listMarkerEnd(text, at)
  if (end < 0 || end >= text.length) return false
  const code = text.charCodeAt(at)
  if (isDigit(code) && !(code === 49 && end === at + 2)) return false
  return text.slice(end).trim() !== ''
}

/** The number of `#` of an ATX heading that begins at `at`, 0 when none does. */
export function headingLevelAt(text: string, at: number): number {
  let end = at
  while (end < text.length && text.charCodeAt(end) === hash) end++
  const level = end - at
  if (level < 1 || level > 6) return 0
  return end >= text.length || isSpace(text.charCodeAt(end)) ? level : 0
}

/** Whether a line that begins with these characters opens a block of its own: heading, fence, quote or HTML. */
export function isBlockStart(text: string, at: number): boolean {
  switch (text.charCodeAt(at)) {
    case hash:
      return headingLevelAt(text, at) > 0
    case 96:
      return text.startsWith('```', at)
    case tilde:
      return text.startsWith('~~~', at)
    case greaterThan:
    case lessThan:
      return true
    default:
      return false
  }
}

/** Width in columns of the white space before `end`; a tab reaches the next multiple of 4. */
export function columnOf(text: string, end: number, start = 0): number {
  let column = 0
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index)
    if (code === space) column++
    else if (code === tab) column += 4 - (column % 4)
  }
  return column
}
