import { hash } from './characters.js'
import type { Scope } from './types.js'

const full =
  /^(?:|-+|–|—|n\/?a|none|always|everything|(?:as|if|when) (?:needed|relevant|required|necessary)|on demand|(?:the )?(?:full|entire|whole|complete|all)(?: (?:file|files|document|documents|doc|content|contents|text|folder|directory|page|sections?))?)$/i
const quotedName = /^(?:"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|`(#{1,6} [^`]+)`|(#{1,6} [^,;]+))$/
const lowerL = 108
const upperL = 76
const connector = /\s+(?:through|thru|to|until)\s+|\s*(?:->|→|–|—)\s*/iu

/**
 * Reads the text of a scope ("load only this part of the file"); never fails, `other` is the last resort.
 * Bare names come back as `names` with `quoted: false`: they count only if every one matches a heading.
 */
export function parseScope(text: string): Scope {
  if (text === '' || text === 'Full file') return { kind: 'full', text }
  const written = /[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ').trim() : text.trim()
  const plain = stripRemarks(written)
  if (plain.length < 28 && full.test(plain)) return { kind: 'full', text: written }
  const first = plain.charCodeAt(0)
  if (first === hash && /^#[^\s#]+$/.test(plain)) return { kind: 'slug', slug: plain.slice(1), text: written }
  const section = plain.startsWith('§') ? /^§+\s*(.+)$/.exec(plain)?.[1] : undefined
  if (section) return { kind: 'names', names: sectionNames(section), quoted: true, text: written }
  const lines =
    first !== lowerL && first !== upperL
      ? null
      : /^lines?\s+(\d+)(?:\s*(?:-|–|—|to|through)\s*(\d+))?$/i.exec(plain)
  if (lines?.[1]) {
    const from = Number(lines[1])
    return { kind: 'lines', from, to: lines[2] ? Number(lines[2]) : from, text: written }
  }
  const top = /^(?:the )?(?:first|top) (\d+) lines$/i.exec(plain)?.[1]
  if (top) return { kind: 'lines', from: 1, to: Number(top), text: written }
  if (/\b(?:most recent|latest|newest)\b/i.test(plain)) return { kind: 'latest', text: written }
  return rangeOf(plain, written) ?? namesOf(plain, written) ?? { kind: 'other', text: written }
}

/** Without `(…)` outside quotes, emphasis and a final period. */
function stripRemarks(text: string): string {
  if (!text.includes('(') && !text.includes('**')) return text.replace(/\.$/, '')
  return text
    .replace(/("[^"]*"|“[^”]*”|`[^`]*`)|\([^()]*\)/g, (_, kept: string | undefined) => kept ?? '')
    .replace(/\*\*/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '')
}

function unquote(part: string): string | undefined {
  const match = quotedName.exec(part.trim())
  const name = match?.slice(1).find((group) => group !== undefined)
  return name?.replace(/^#+\s+/, '').trim()
}

function sectionNames(text: string): string[] {
  return splitNames(text).map((part) => unquote(part) ?? part.replace(/^§\s*|`/g, '').trim())
}

function rangeOf(plain: string, written: string): Scope | undefined {
  if (plain.search(connector) < 0) return undefined
  const text = plain.replace(/^(?:the )?(?:sections?|from)\s+/i, '').replace(/\s+(?:sections?)$/i, '')
  const parts = splitOutsideQuotes(text, connector)
  if (parts.length !== 2) return undefined
  const [from, to] = parts.map((part) => unquote(part))
  if (from && to) return { kind: 'range', from, to, text: written }
  // Of the connectors only `through` is no everyday word: "Routes to palette" names no range.
  const bare = /^([^"`]{1,60}?)\s+(?:through|thru)\s+([^"`]{1,60})$/i.exec(text)
  if (!bare?.[1] || !bare[2]) return undefined
  return { kind: 'range', from: bare[1].trim(), to: bare[2].trim(), text: written }
}

function namesOf(plain: string, written: string): Scope | undefined {
  const single = /^"([^"]+)"(?: section)?$/i.exec(plain)?.[1]
  if (single) return { kind: 'names', names: [unquote(`"${single}"`) ?? single], quoted: true, text: written }
  const text = /section|only/i.test(plain)
    ? plain
        .replace(/\s+only$/i, '')
        .replace(/\s+sections?$/i, '')
        .replace(/^(?:the )?sections?:?\s+/i, '')
        .replace(/\s+only$/i, '')
    : plain
  const parts = splitNames(text)
  if (parts.length === 0) return undefined
  const quoted = parts.map((part) => unquote(part))
  if (quoted.every((name) => name !== undefined)) {
    return { kind: 'names', names: quoted, quoted: true, text: written }
  }
  const bare = parts.map((part) => unquote(part) ?? part.replace(/`/g, '').trim())
  const plausible = bare.every((name) => name !== '' && name.split(' ').length <= 6 && !/[.!?]\s/.test(name))
  return plausible ? { kind: 'names', names: bare, quoted: false, text: written } : undefined
}

function splitNames(text: string): string[] {
  return splitOutsideQuotes(text, /\s*[,;]\s*(?:and\s+)?|\s+(?:and|\+|&)\s+/iu)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function splitOutsideQuotes(text: string, separator: RegExp): string[] {
  if (!/["“`]/.test(text)) return text.split(separator)
  const kept: string[] = []
  const masked = text.replace(/"[^"]*"|“[^”]*”|`[^`]*`/g, (quote) => {
    kept.push(quote)
    return `\uE000${kept.length - 1}\uE000`
  })
  return masked
    .split(separator)
    .map((part) => part.replace(/\uE000(\d+)\uE000/g, (_, index: string) => kept[Number(index)] ?? ''))
}
