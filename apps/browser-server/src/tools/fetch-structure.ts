import type { Heading } from '@icm/documents'
import { defineTool } from '@icm/tool-registry'
import type { OpenPage } from '../open-page.js'
import type { Page } from '../types.js'
import { linesThatFit, pageInput, pageTool } from './page-tool.js'

/** The tool that returns a page's headings. */
export function fetchStructureTool(openPage: OpenPage) {
  return defineTool({
    ...pageTool,
    name: 'fetch_structure',
    description:
      'Tells what a long document covers before you read it: headings in order, and how many characters it has; of one ' +
      'without headings only the length. Example: {"url": "https://example.org/manual"}. Rejected: see fetch_snippet. ' +
      'Next: that tool if a heading fits, otherwise another search result.',
    input: pageInput,
    run: async ({ url }, { signal }) => renderStructure(await openPage(url, { signal })),
  })
}

/** A page's outline within the limit. */
export function renderStructure(page: Page): string {
  const headings = page.headings()
  const length = page.text().length.toLocaleString('en-US')
  const head = [
    `Outline of ${page.address} (${length} characters, ${headings.length} ${headings.length === 1 ? 'heading' : 'headings'})`,
    ...page.notes.map((note) => `Note: ${note}`),
  ]
  if (headings.length === 0) {
    return [...head, '', `"${page.title}" has no headings. fetch_snippet shows its text.`].join('\n')
  }
  const room = pageTool.limit - head.join('\n').length - 80
  const { lines, left } = outlineThatFits(headings, room)
  const more = left === 0 ? [] : [`[${left} more headings not shown]`]
  return [...head, '', ...lines, ...more].join('\n')
}

/** The outline down to the lowest level at which all of it fits; else the first headings of the highest level. */
function outlineThatFits(headings: readonly Heading[], characters: number) {
  const levels = [...new Set(headings.map((heading) => heading.level))].sort((left, right) => right - left)
  for (const lowest of levels) {
    const lines = headings
      .filter((heading) => heading.level <= lowest)
      .map((heading) => `${'#'.repeat(heading.level)} ${heading.text}`)
    const { shown } = linesThatFit(lines, characters)
    if (shown.length === lines.length || lowest === levels.at(-1)) {
      return { lines: shown, left: headings.length - shown.length }
    }
  }
  return { lines: [], left: headings.length }
}
