import { parseHTML } from 'linkedom'
import type { DomDocument, DomElement } from './dom.js'
import { flattenDeepHtml } from './flatten-deep-html.js'
import type { Heading } from './markdown-blocks.js'

const invisible = 'script, style, noscript, template, svg, iframe, [hidden], [aria-hidden="true"]'
const navigation = 'nav, [role="navigation"], [role="banner"], [role="contentinfo"], [role="search"]'

/**
 * Parses HTML of any quality. Where `<html>`, `<head>` or `<body>` are left out, as HTML allows, they are put in,
 * which linkedom does not do by itself; a page nested beyond reason becomes its bare text.
 */
export function parseHtml(source: string): DomDocument {
  const html = flattenDeepHtml(source).replace(/^\s*<!doctype[^>]*>/i, '')
  return parseHTML(`<!doctype html>${withBody(html)}`).document as DomDocument
}

const headPart =
  /^\s*(?:<head[^<>]*>[\s\S]*?<\/head\s*>|(?:\s|<!--[\s\S]*?-->|<(?:meta|link|base)\b[^<>]*>|<(title|script|style)\b[^<>]*>[\s\S]*?<\/\1\s*>)*)/i

function withBody(html: string): string {
  if (/<body[\s>]/i.test(html)) return /<html[\s>]/i.test(html) ? html : `<html>${html}</html>`
  const bare = html.replace(/<\/?html(?:\s[^<>]*)?>/gi, '')
  const head = headPart.exec(bare)?.[0] ?? ''
  const inner = head.replace(/<\/?head(?:\s[^<>]*)?>/gi, '')
  return `<html><head>${inner}</head><body>${bare.slice(head.length)}</body></html>`
}

/** The page's name: its first `<h1>`, else its `<title>`, else ''. After `removeChrome`, so that a banner is none. */
export function htmlTitle(document: DomDocument): string {
  const title = oneLine(document.querySelector('title')?.textContent)
  const headings = [...document.querySelectorAll('h1')].map((heading) => oneLine(heading.textContent))
  return headings.find((heading) => heading !== '') ?? title
}

/**
 * Takes away what is not the page's own text – scripts, navigation, page header and footer, side columns – and
 * returns the element that holds the rest. The header and footer of an article stay: they hold its heading.
 * Changes the document.
 */
export function removeChrome(document: DomDocument): DomElement {
  for (const element of [...document.querySelectorAll(`${invisible}, ${navigation}`)]) element.remove()
  for (const element of [...document.querySelectorAll('header, footer, aside')]) {
    if (element.tagName === 'ASIDE' || element.closest('main, article') === null) element.remove()
  }
  const mains = [...document.querySelectorAll('main, [role="main"]')]
  return mains.length === 1 && mains[0] !== undefined ? mains[0] : document.body
}

/** The headings below an element, in order, empty ones left out. */
export function htmlHeadings(content: DomElement): readonly Heading[] {
  return [...content.querySelectorAll('h1, h2, h3, h4, h5, h6')]
    .map((heading) => ({ level: Number(heading.tagName.slice(1)), text: headingText(heading) }))
    .filter((heading) => heading.text !== '')
}

/** Any text on one line, spaces collapsed. */
export function oneLine(text: string | null | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').trim()
}

function headingText(heading: DomElement): string {
  // The permalink that documentation generators put behind a heading.
  return oneLine(heading.textContent).replace(/\s+#$|\s*[¶🔗]$/u, '')
}
