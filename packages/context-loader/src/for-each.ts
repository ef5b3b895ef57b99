import { splitSections } from '@icm/contract-parser'
import { listItems } from './list-items.js'
import type { ForEachItem } from './types.js'

/**
 * Cuts a text into items at its level-2 headings outside fences, comments and lists. If any heading begins with the
 * item's word (`Module 1: ...` for `module`, case ignored), only those are items; the others come back as `skipped`.
 * A text without level-2 headings is cut at the entries of its numbered lists.
 */
export function splitItems(
  markdown: string,
  item: string,
): { readonly items: readonly ForEachItem[]; readonly skipped: readonly string[] } {
  const sections = splitSections(markdown, 2)
  if (sections.length === 0) return { items: listItems(markdown), skipped: [] }
  const named = sections.filter((section) => beginsWithWord(section.heading.text, item))
  const chosen = named.length > 0 ? named : sections
  return {
    items: chosen.map((section, index) => ({
      index: index + 1,
      heading: section.heading.text,
      body: section.body.trim(),
    })),
    skipped: sections.filter((section) => !chosen.includes(section)).map((section) => section.heading.text),
  }
}

function beginsWithWord(heading: string, word: string): boolean {
  const text = heading.replace(/^[*_`\s]+/, '').toLowerCase()
  const wanted = word.trim().toLowerCase()
  return wanted !== '' && text.startsWith(wanted) && !/^[\p{L}\p{N}]/u.test(text.slice(wanted.length))
}
