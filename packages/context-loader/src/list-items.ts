import { type MarkdownLine, scanLines } from '@icm/contract-parser'
import type { ForEachItem } from './types.js'

const marker = /^\d{1,9}[.)][ \t]+(?=\S)/

/**
 * The entries of a text's numbered lists, those that are not inside another list: the entry's first line is the item's
 * heading, what is indented below it the body.
 */
export function listItems(markdown: string): readonly ForEachItem[] {
  const { lines } = scanLines(markdown)
  const starts = lines.filter((line) => line.kind === 'text' && line.nested && marker.test(line.text))
  return starts.map((start, index) => ({
    index: index + 1,
    heading: start.text.replace(marker, '').trim(),
    body: markdown.slice(start.end, endOf(start, lines, markdown.length)).trim(),
  }))
}

/** Offset of the first line behind an entry that is no longer part of it. */
function endOf(start: MarkdownLine, lines: readonly MarkdownLine[], length: number): number {
  const next = lines
    .slice(start.number)
    .find((line) => marker.test(line.text) || (!line.nested && /^\S/.test(line.text)))
  return next?.start ?? length
}
