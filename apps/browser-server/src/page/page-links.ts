import { type DomElement, oneLine, parseHtml, plainInline, removeChrome } from '@icm/documents'
import type { PageLink } from '../types.js'
import { shorten } from './shorten.js'

const longestLabel = 100

// Lines have any length and come from anybody: bounded parts keep these patterns from starting again and again.
const image = /!\[([^[\]\n]{0,300})\]\([^()\n]{0,2000}\)/g
const inlineLink =
  /\[([^[\]\n]{0,300})\]\( {0,3}<?([^\s()<>]{1,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,200}){0,3})>?(?:[ \t]{1,4}["'(][^)\n]{0,300})?[ \t]{0,4}\)/
const referenceLink = /^ {0,3}\[([^[\]\n]{1,300})\]:[ \t]{0,4}<?([^\s>]{1,2000})/
const bareLink = /(https?:\/\/[^\s<>"'`\])}]{1,2000})/
const markdownLink = new RegExp(
  [inlineLink, referenceLink, bareLink].map((part) => part.source).join('|'),
  'gm',
)

interface FoundLink {
  readonly label: string
  readonly href: string
  readonly inText: boolean
}

/** The links of an HTML page found at `address`. */
export function htmlLinks(html: string, address: string): readonly PageLink[] {
  const ofText = new Set(anchors(removeChrome(parseHtml(html))).map((anchor) => anchor.getAttribute('href')))
  const document = parseHtml(html)
  const declared = document.querySelector('base[href]')?.getAttribute('href') ?? ''
  const found = anchors(document.body).map((anchor) => {
    const href = anchor.getAttribute('href') ?? ''
    return { href, label: anchorLabel(anchor), inText: ofText.has(href) }
  })
  return pageLinks(found, {
    address,
    base: URL.canParse(declared, address) ? new URL(declared, address).href : address,
  })
}

/** The links of a markdown or plain text found at `address`: inline, reference and bare ones, not those in code. */
export function markdownLinks(markdown: string, address: string): readonly PageLink[] {
  const text = withoutCode(markdown).replace(image, '$1')
  const found = [...text.matchAll(markdownLink)].map(([, label, href, id, target, bare]) => ({
    label: plainInline(label ?? id ?? ''),
    href: href ?? target ?? (bare ?? '').replace(/[.,;:!?]+$/, ''),
    inText: true,
  }))
  return pageLinks(found, { address, base: address })
}

/** Absolute http(s) links (and, from a library document, links to others), each address once, those of the text first. */
function pageLinks(
  found: readonly FoundLink[],
  page: { readonly address: string; readonly base: string },
): readonly PageLink[] {
  const own = withoutFragment(new URL(page.address))
  const schemes = new Set(own.startsWith('file:') ? ['http:', 'https:', 'file:'] : ['http:', 'https:'])
  const links = new Map<string, PageLink>()
  for (const { label, href, inText } of found) {
    if (href === '' || !URL.canParse(href, page.base)) continue
    const target = new URL(href, page.base)
    const url = withoutFragment(target)
    if (!schemes.has(target.protocol) || url === own) continue
    const before = links.get(url)
    const text =
      before?.text !== undefined && before.text !== url ? before.text : shorten(label, longestLabel) || url
    links.set(url, { text, url, inText: inText || (before?.inText ?? false) })
  }
  const all = [...links.values()]
  return [...all.filter((link) => link.inText), ...all.filter((link) => !link.inText)]
}

function anchors(element: DomElement): readonly DomElement[] {
  return [...element.querySelectorAll('a[href], area[href]')]
}

function anchorLabel(anchor: DomElement): string {
  const image = anchor.querySelector('img[alt]')
  const labels = [
    anchor.textContent,
    anchor.getAttribute('aria-label'),
    image?.getAttribute('alt'),
    anchor.getAttribute('title'),
  ]
  return labels.map(oneLine).find((label) => label !== '') ?? ''
}

function withoutCode(markdown: string): string {
  let fence: string | undefined
  const lines = markdown.split('\n').filter((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
      return false
    }
    fence = mark
    return mark === undefined
  })
  return lines.join('\n').replace(/`[^`\n]*`/g, (code) => code.replace(/\S/g, ' '))
}

function withoutFragment(url: URL): string {
  const bare = new URL(url)
  bare.hash = ''
  return bare.href
}
