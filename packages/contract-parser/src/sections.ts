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

const headingPattern = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/

/** All headings of a markdown text, in order; see `scanLines` for what is skipped. */
export function findHeadings(
  markdown: string,
  lines: readonly MarkdownLine[] = scanLines(markdown).lines,
): readonly MarkdownHeading[] {
  const headings: MarkdownHeading[] = []
  for (const [index, line] of lines.entries()) {
    if (line.kind !== 'text' || line.nested) continue
    const match = headingPattern.exec(line.text)
    if (!match?.[1]) continue
    headings.push({
      level: match[1].length,
      text: (match[2] ?? '').replace(/^#+$/, '').trim(),
      line: line.number,
      start: line.start,
      bodyStart: lines[index + 1]?.start ?? markdown.length,
    })
  }
  return headings
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
