import { type DomElement, type DomNode, isElement, oneLine } from '@icm/documents'
import TurndownService from 'turndown'

/**
 * turndown with rules for a reader instead of an editor: nothing escaped, links as their label, images as their
 * description, numbered lists, code fences also without `<code>`, tables as rows.
 */
export function createTurndown(): TurndownService {
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
    replacement: (_text, node) => `\n\n${codeFence(node as unknown as DomElement)}\n\n`,
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

const itemNumbers = new WeakMap<DomElement, ReadonlyMap<DomElement, number>>()

function itemMark(item: DomElement): string {
  const list = item.parentElement
  if (list?.tagName !== 'OL') return '-'
  // Counted once per list: counting again for every item takes a list of thousands to the square.
  const numbers = itemNumbers.get(list) ?? numberItems(list)
  itemNumbers.set(list, numbers)
  return `${numbers.get(item) ?? 1}.`
}

function numberItems(list: DomElement): ReadonlyMap<DomElement, number> {
  const start = Number.parseInt(list.getAttribute('start') ?? '1', 10)
  const items = [...list.children].filter((child) => child.tagName === 'LI')
  return new Map(items.map((item, index) => [item, (Number.isNaN(start) ? 1 : start) + index]))
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

/** A `<pre>` as a code fence, longer than any fence inside it. */
export function codeFence(element: DomElement): string {
  const code = shortenGaps(element.textContent ?? '')
    .replace(/^\n+/, '')
    .trimEnd()
  let fence = '```'
  while (code.includes(fence)) fence += '`'
  return `${fence}\n${code}\n${fence}`
}

/** Space in code without its gaps of 200 characters and more. */
export function shortenGaps(code: string): string {
  return code.replace(/\s{200,}/g, (gap) => (gap.includes('\n') ? '\n' : ' '))
}
