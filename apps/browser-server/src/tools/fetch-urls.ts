import { defineTool } from '@icm/tool-registry'
import type { OpenPage } from '../open-page.js'
import type { Page, PageLink } from '../types.js'
import { linesThatFit, pageInput, pageTool } from './page-tool.js'

/** The tool that returns a page's links, one `- label: address` line each. */
export function fetchUrlsTool(openPage: OpenPage) {
  return defineTool({
    ...pageTool,
    name: 'fetch_urls',
    description:
      'Shows where a page leads: its links, one "- label: url" line each, those of its text first, or a word that there ' +
      'are none. Example: {"url": "https://example.org/guide"}. Rejected: what fetch_snippet rejects. ' +
      'Next: fetch_snippet with one of these addresses.',
    input: pageInput,
    run: async ({ url }, { signal }) => renderLinks(await openPage(url, { signal })),
  })
}

/**
 * Links as lines instead of JSON: a third fewer tokens, and an address that ends its line is copied without a quote
 * or bracket behind it.
 */
export function renderLinks(page: Page): string {
  const links = page.links()
  const usable = links.filter((link) => !link.missing)
  const missing = links.length - usable.length
  const notes = [
    ...page.notes,
    ...(missing === 0 ? [] : [`${count(missing, 'link')} to files that are not in the library left out.`]),
  ]
  const head = [`Links of ${page.address} (${usable.length})`, ...notes.map((note) => `Note: ${note}`)]
  if (usable.length === 0) return [...head, '', 'The page has no links to other pages.'].join('\n')
  const lines = withSections(usable)
  // Room for the line that says what is left over.
  const { shown, left } = linesThatFit(lines, pageTool.limit - head.join('\n').length - 60)
  const more = left === 0 ? [] : [`[${count(left, 'more link')} not shown]`]
  return [...head, '', ...shown, ...more].join('\n')
}

function withSections(links: readonly PageLink[]): readonly string[] {
  const lines = (part: readonly PageLink[]) =>
    part.map(({ text, url }) => (text === url ? `- ${url}` : `- ${text}: ${url}`))
  const [ofText, ofMenus] = [links.filter((link) => link.inText), links.filter((link) => !link.inText)]
  if (ofMenus.length === 0 || ofText.length === 0) return lines(links)
  return [...lines(ofText), 'In menus:', ...lines(ofMenus)]
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
