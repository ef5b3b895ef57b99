import { defineTool } from '@icm/tool-registry'
import type { OpenPage } from '../open-page.js'
import { headOf } from '../page/shorten.js'
import type { Page } from '../types.js'
import { pageInput, pageTool } from './page-tool.js'

/** The tool that returns the readable text of a page, as far as 4,000 characters go. */
export function fetchSnippetTool(openPage: OpenPage) {
  return defineTool({
    ...pageTool,
    name: 'fetch_snippet',
    description:
      'Reads a page and returns its text without menus: a short page whole, of a long one the first 4,000 characters ' +
      'and how much is left. Example: {"url": "https://example.org/guide"}. Rejected: private networks, files ' +
      'outside the library, files that are no text. Next: note its facts with its url, or read another page.',
    input: pageInput,
    run: async ({ url }, { signal }) => renderSnippet(await openPage(url, { signal })),
  })
}

/** A page's head within the limit: one line that says what follows, the text, and a marker when there is more. */
export function renderSnippet(page: Page): string {
  const text = page.text()
  const notes = page.notes.map((note) => `Note: ${note}\n`).join('')
  const whole = `Page: ${page.address} (whole page)\n${notes}\n${text}`
  if (whole.length <= pageTool.limit) return whole
  const total = text.length.toLocaleString('en-US')
  const first = `Page: ${page.address} (the beginning; ${total} characters in all)\n${notes}\n`
  const marker = (left: number) =>
    `\n\n[The page goes on: ${left.toLocaleString('en-US')} more characters are not shown. fetch_structure lists its headings.]`
  // Four characters for a code fence that the cut leaves open.
  const head = headOf(text, pageTool.limit - first.length - marker(text.length).length - 4).trimEnd()
  return first + closeFence(head) + marker(text.length - head.length)
}

function closeFence(markdown: string): string {
  const open = [...markdown.matchAll(/^ {0,3}(`{3,}|~{3,})/gm)].length % 2 === 1
  return open ? `${markdown}\n\`\`\`` : markdown
}
