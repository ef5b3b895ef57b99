import { hash, isSpace, space } from './characters.js'
import { headingLevelAt } from './line-starts.js'
import { type MarkdownLine, scanLines } from './scan-lines.js'

/** An ATX heading outside code, comments, front matter and lists. */
export interface MarkdownHeading {
  readonly level: number
  /** Without the `#` on either side. */
  readonly text: string
  readonly line: number
  /** Offset of the heading's line in the whole text. */
  readonly start: number
  /** Offset behind the heading's line, with its line ending. */
  readonly bodyStart: number
}

/** A part of a text from its heading up to the next heading that ends it. */
export interface MarkdownSection {
  readonly heading: MarkdownHeading
  /** Offset behind the section; the whole text's length for the last one. */
  readonly end: number
  /** Everything below the heading, an exact slice. */
  readonly body: string
}

/** All headings of a markdown text, in order; see `scanLines` for what is skipped. */
export function findHeadings(
  markdown: string,
  lines: readonly MarkdownLine[] = scanLines(markdown).lines,
): readonly MarkdownHeading[] {
  return scanHeadings(markdown, lines).headings
}

/** All headings, and the lines that begin with `#` and are none for want of a space behind it. */
export function scanHeadings(
  markdown: string,
  lines: readonly MarkdownLine[],
): { readonly headings: readonly MarkdownHeading[]; readonly glued: readonly MarkdownLine[] } {
  const headings: MarkdownHeading[] = []
  const glued: MarkdownLine[] = []
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as MarkdownLine
    if (line.kind !== 'text' || line.nested) continue
    const { text } = line
    let at = 0
    while (at < 3 && at < text.length && text.charCodeAt(at) === space) at++
    if (at >= text.length || text.charCodeAt(at) !== hash) continue
    const level = headingLevelAt(text, at)
    if (level === 0) {
      glued.push(line)
      continue
    }
    headings.push({
      level,
      text: headingText(text.slice(at + level)),
      line: line.number,
      start: line.start,
      bodyStart: lines[index + 1]?.start ?? markdown.length,
    })
  }
  return { headings, glued }
}

/** Without the closing `#` of a heading such as `## Title ##`, which white space must part from the text. */
function headingText(rest: string): string {
  const text = rest.trim()
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === hash) end--
  return end === text.length || (end > 0 && !isSpace(text.charCodeAt(end - 1)))
    ? text
    : text.slice(0, end).trimEnd()
}

/**
 * Cuts a text at its headings of one level. A heading of a higher level (fewer `#`) ends a section without
 * opening one; deeper headings belong to the body. Heading lines and bodies are exact slices of the text.
 */
export function splitSections(markdown: string, level: number): readonly MarkdownSection[] {
  const cuts = findHeadings(markdown).filter((heading) => heading.level <= level)
  const sections: MarkdownSection[] = []
  for (const [index, heading] of cuts.entries()) {
    if (heading.level !== level) continue
    const end = cuts[index + 1]?.start ?? markdown.length
    sections.push({ heading, end, body: markdown.slice(heading.bodyStart, end) })
  }
  return sections
}
