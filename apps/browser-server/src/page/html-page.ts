import {
  type DomElement,
  htmlHeadings,
  htmlTitle,
  parseHtml,
  plainInline,
  removeChrome,
} from '@icm/documents'
import { Readability } from '@mozilla/readability'
import type { Page } from '../types.js'
import { htmlToMarkdown } from './html-markdown.js'
import { htmlLinks } from './page-links.js'

export interface PageSource {
  /** Where the text was found; base of its relative links. */
  readonly address: string
  readonly text: string
  readonly notes: readonly string[]
}

// Readability's work grows faster than the page; beyond this the page without its chrome is the text.
const longestForReadability = 300_000

/** Reads HTML. The title falls back to the address. */
export function htmlPage({ address, text: html, notes }: PageSource): Page {
  // Each reader needs one of the three and changes the document, so each parses its own.
  const withoutChrome = () => {
    const document = parseHtml(html)
    const content = removeChrome(document)
    return { content, title: htmlTitle(document) }
  }
  const title = withoutChrome().title || address
  return {
    address,
    title,
    notes,
    text: () => withTitle(title, htmlToMarkdown(mainContent(html, withoutChrome().content))),
    headings: () => htmlHeadings(withoutChrome().content),
    links: () => htmlLinks(html, address),
  }
}

/**
 * The element with the text that a person came for. Readability finds it on pages of any make, but it was made for
 * articles and may drop half of a manual page: when the page marks its main part itself and Readability kept little
 * of that, the marked part wins.
 */
function mainContent(html: string, content: DomElement): DomElement {
  if (html.length > longestForReadability) return content
  const article = readArticle(html)
  if (article === undefined) return content
  const found = textLength(article)
  const marked = content.tagName === 'BODY' ? content.querySelector('article') : content
  if (marked !== null && found < textLength(marked) * 0.6) return marked
  return found < Math.min(200, textLength(content)) ? content : article
}

function readArticle(html: string): DomElement | undefined {
  const document = parseHtml(html) as unknown as ConstructorParameters<typeof Readability>[0]
  const article = new Readability<DomElement>(document, {
    serializer: (node) => node as unknown as DomElement,
  }).parse()
  return article?.content ?? undefined
}

function textLength(element: DomElement): number {
  return (element.textContent ?? '').replace(/\s+/g, ' ').length
}

/** The text under the page's title. Readability takes the heading that repeats it away, or makes it a lower one. */
function withTitle(title: string, markdown: string): string {
  const first = /^#{1,2} (.*)$/m.exec(markdown)
  if (first?.index === 0 && plainInline(first[1] ?? '') === plainInline(title)) {
    return `# ${title}${markdown.slice(first[0].length)}`
  }
  return markdown.startsWith('# ') ? markdown : `# ${title}\n\n${markdown}`
}
