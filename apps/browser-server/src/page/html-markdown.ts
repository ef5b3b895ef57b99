import { type DomElement, type DomNode, isElement } from '@icm/documents'
import { codeFence, createTurndown, shortenGaps } from './turndown-rules.js'

// turndown's work grows with the square of the length, so a page is converted in parts of about this many characters.
const partCharacters = 20_000

const turndown = createTurndown()

interface BuildingElement extends DomElement {
  readonly outerHTML: string
  readonly ownerDocument: { createElement(tag: string): BuildingElement }
  append(node: DomNode): void
  setAttribute(name: string, value: string): void
}

/**
 * The content of an HTML element as markdown: headings, lists, code fences and tables kept; links as their label
 * (`fetch_urls` lists addresses, here they would only cost tokens); images as their description.
 * Takes the element apart.
 */
export function htmlToMarkdown(content: DomElement): string {
  collapseSpace(content)
  const parts: string[] = []
  convertChildren(content as BuildingElement, parts)
  return tidy(parts.join('\n\n'))
}

/** Converts the children of an element, neighbours together as long as they are short. */
function convertChildren(element: BuildingElement, parts: string[]): void {
  let shell = shellFor(element, 0)
  let length = 0
  let items = 0
  const convertShell = () => {
    if (length > 0) parts.push(turndown.turndown(shell.root))
    shell = shellFor(element, items)
    length = 0
  }
  for (const child of [...element.childNodes]) {
    const size = isElement(child)
      ? (child as BuildingElement).outerHTML.length
      : (child.textContent ?? '').length
    if (length + size > partCharacters) convertShell()
    if (isElement(child) && child.tagName === 'LI') items += 1
    if (size <= partCharacters) {
      shell.inner.append(child)
      length += size
    } else if (!isElement(child)) parts.push(child.textContent ?? '')
    else if (child.tagName === 'PRE') parts.push(codeFence(child))
    else convertChildren(child as BuildingElement, parts)
  }
  convertShell()
}

/** An empty element for some children: a list or table around items and rows, which mean nothing without it. */
function shellFor(
  element: BuildingElement,
  itemsBefore: number,
): { root: BuildingElement; inner: BuildingElement } {
  const root = element.ownerDocument.createElement('div')
  const tag = /^(?:UL|OL|TABLE)$/.test(element.tagName)
    ? element.tagName
    : /^T(?:HEAD|BODY|FOOT)$/.test(element.tagName)
      ? 'TABLE'
      : undefined
  if (tag === undefined) return { root, inner: root }
  const inner = element.ownerDocument.createElement(tag.toLowerCase())
  const start = Number.parseInt(element.getAttribute('start') ?? '1', 10)
  if (tag === 'OL') inner.setAttribute('start', String((Number.isNaN(start) ? 1 : start) + itemsBefore))
  root.append(inner)
  return { root, inner }
}

/**
 * Leaves no long run of space in the text: some of turndown's patterns start anew at every space of a run, so that a
 * page of a few hundred kilobytes of it kept the process busy for minutes.
 */
function collapseSpace(content: DomElement): void {
  const waiting: { readonly node: DomNode; readonly inCode: boolean }[] = [{ node: content, inCode: false }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, inCode } = next
    if (node.nodeType === 3) {
      const text = node.textContent ?? ''
      node.textContent = inCode ? shortenGaps(text) : text.replace(/\s+/g, ' ')
    }
    const code = inCode || (isElement(node) && node.tagName === 'PRE')
    for (const child of node.childNodes) waiting.push({ node: child, inCode: code })
  }
}

function tidy(markdown: string): string {
  const lines = markdown.split('\n').map((line) => line.trimEnd())
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
