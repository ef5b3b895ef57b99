import { headingsOf, markdownBlocks } from '@icm/documents'
import type { Page } from '../types.js'
import type { PageSource } from './html-page.js'
import { markdownLinks } from './page-links.js'

/** Reads markdown: shown as it is. The title is its first heading, else the address. */
export function markdownPage({ address, text, notes }: PageSource): Page {
  const headings = headingsOf(markdownBlocks(text))
  return {
    address,
    title: headings[0]?.text ?? address,
    notes,
    text: () => text.trim(),
    headings: () => headings,
    links: () => markdownLinks(text, address),
  }
}

/** Reads plain text, JSON or XML: shown as it is, with no headings. */
export function textPage({ address, text, notes }: PageSource): Page {
  return {
    address,
    title: address,
    notes,
    text: () => text.trim(),
    headings: () => [],
    links: () => markdownLinks(text, address),
  }
}
