import TurndownService from 'turndown'
import { type DomElement, type DomNode, isElement } from '../documents/dom.js'
import { htmlBlocks } from '../documents/html-blocks.js'
import { oneLine } from '../documents/html-document.js'

// turndown's work grows with the square of the length; beyond this, the plainer conversion is used.
const longestForTurndown = 400_000

const turndown = createTurndown()

/**
 * The content of an HTML element as markdown: headings, lists, code fences and tables kept; links as their label
 * (`fetch_urls` lists addresses, here they would only cost tokens); images as their description.
 * Very long content becomes plain paragraphs without list marks.
 */
export function htmlToMarkdown(content: DomElement): string {
  if (content.innerHTML.length <= longestForTurndown) return tidy(turndown.turndown(content))
  const parts = htmlBlocks(content).map(({ kind, level, text }) =>
    kind === 'heading' ? `${'#'.repeat(level ?? 1)} ${text}` : kind === 'code' ? fenced(text) : text,
  )
  return tidy(parts.join('\n\n'))
}

function createTurndown(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
  })
  // A reader needs `keep_alive` and `[0]` as they stand, not `keep\_alive` and `\[0\]`.
  service.escape = (text) => text
  service.remove(['script', 'style', 'noscript', 'button', 'input', 'select', 'textarea'])
  service.addRule('link', { filter: 'a', replacement: (text) => text })
  service.addRule('image', {
    filter: 'img',
    replacement: (_text, node) => imageText(node as unknown as DomElement),
  })
  service.addRule('item', {
    filter: 'li',
    replacement: (text, node) => {
      const item = node as unknown as DomElement
      return `${itemMark(item)} ${text.trim().replace(/\n/g, '\n  ')}\n`
    },
  })
  service.addRule('code', {
    filter: 'pre',
    replacement: (_text, node) => `\n\n${fenced((node.textContent ?? '').replace(/^\n+|\s+$/g, ''))}\n\n`,
  })
  service.addRule('table', {
    filter: 'table',
    replacement: (text, node) => {
      const table = node as unknown as DomElement
      // A table for layout holds whole parts of a page: its text is more than rows.
      const nested = table.querySelector('table, h1, h2, h3, h4, pre, ul, ol, p + p') !== null
      return nested ? `\n\n${text}\n\n` : `\n\n${tableRows(table)}\n\n`
    },
  })
  return service
}

function imageText(image: DomElement): string {
  const description = oneLine(image.getAttribute('alt'))
  return description === '' ? '' : `[image: ${description}]`
}

function itemMark(item: DomElement): string {
  const list = item.parentElement
  if (list?.tagName !== 'OL') return '-'
  const start = Number(list.getAttribute('start') ?? 1)
  const items = [...list.children].filter((child) => child.tagName === 'LI')
  return `${(Number.isInteger(start) ? start : 1) + Math.max(0, items.indexOf(item))}.`
}

function tableRows(table: DomElement): string {
  const rows = [...table.querySelectorAll('tr')].map((row) =>
    [...row.children].map((cell) => cellText(cell).replaceAll('|', '\\|')),
  )
  const [head, ...rest] = rows.filter((row) => row.some((cell) => cell !== ''))
  if (head === undefined) return ''
  const ruler = head.map(() => '---')
  return [head, ruler, ...rest].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function cellText(node: DomNode): string {
  const parts = [...node.childNodes].map((child) => {
    if (!isElement(child)) return child.nodeType === 3 ? (child.textContent ?? '') : ''
    if (child.tagName === 'BR') return ' '
    return child.tagName === 'CODE' ? `\`${child.textContent ?? ''}\`` : cellText(child)
  })
  return oneLine(parts.join(''))
}

function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map((match) => match[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${code}\n${fence}`
}

function tidy(markdown: string): string {
  return markdown
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
