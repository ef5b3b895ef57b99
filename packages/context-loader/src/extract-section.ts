import { findHeadings, type MarkdownHeading, type Scope } from '@icm/contract-parser'
import { nearestName } from '@icm/errors'

/** The part of a text that a scope names; the whole text, with the reason, when it cannot be found. */
export interface ExtractedText {
  readonly text: string
  readonly whole: boolean
  /** Why the whole text was taken although a part was asked for; absent when that is what the scope means. */
  readonly reason?: string
}

/**
 * Cuts out the part that a scope names. A section runs from its heading to the next heading of the same or a higher level,
 * outside fences; emphasis and case are ignored. Bare names count only if every one matches. Never returns nothing:
 * a name that is missing or reversed gives the whole text.
 */
export function extractSection(markdown: string, scope: Scope): ExtractedText {
  const whole = (reason?: string): ExtractedText => ({
    text: markdown,
    whole: true,
    ...(reason ? { reason } : {}),
  })
  if (scope.kind === 'lines')
    return (
      extractLines(markdown, scope.from, scope.to) ?? whole(`it has no lines ${scope.from} to ${scope.to}`)
    )
  if (scope.kind !== 'names' && scope.kind !== 'range' && scope.kind !== 'slug') return whole()
  const headings = findHeadings(markdown)
  if (scope.kind === 'slug') {
    const index = slugsOf(headings).indexOf(scope.slug.toLowerCase())
    return index < 0 ? whole(missing(`#${scope.slug}`, headings)) : part(markdown, headings, [[index, index]])
  }
  if (scope.kind === 'range') {
    const [from, to] = [indexOfName(headings, scope.from), indexOfName(headings, scope.to)]
    if (from < 0 || to < 0) return whole(missing(from < 0 ? scope.from : scope.to, headings))
    if (from > to) return whole(`"${scope.from}" comes after "${scope.to}"`)
    return part(markdown, headings, [[from, to]])
  }
  // Bare words may be one heading with a "+" or "and" in it.
  const single = scope.quoted ? -1 : indexOfName(headings, scope.text.replace(/\s+(?:sections?|only)$/i, ''))
  if (single >= 0) return part(markdown, headings, [[single, single]])
  const indexes = scope.names.map((name) => indexOfName(headings, name))
  const absent = indexes.indexOf(-1)
  if (absent >= 0) return whole(scope.quoted ? missing(scope.names[absent] ?? '', headings) : undefined)
  return part(
    markdown,
    headings,
    indexes.map((index) => [index, index]),
  )
}

function missing(name: string, headings: readonly MarkdownHeading[]): string {
  const names = headings.map((heading) => heading.text)
  const nearest = nearestName(name, names)
  const there = nearest ? `; the nearest is "${nearest}"` : names.length === 0 ? '; it has no headings' : ''
  return `it has no section "${name}"${there}`
}

function extractLines(markdown: string, from: number, to: number): ExtractedText | undefined {
  const lines = markdown.split('\n')
  if (from < 1 || to < from || from > lines.length) return undefined
  return { text: lines.slice(from - 1, to).join('\n'), whole: false }
}

/** The named sections in the order of the text, joined by a blank line; one inside another is not repeated. */
function part(
  markdown: string,
  headings: readonly MarkdownHeading[],
  ranges: readonly (readonly [number, number])[],
): ExtractedText {
  const spans = ranges
    .map(([from, to]) => ({ start: headings[from]?.start ?? 0, end: sectionEnd(markdown, headings, to) }))
    .sort((left, right) => left.start - right.start || right.end - left.end)
  const pieces: string[] = []
  let reached = -1
  for (const span of spans) {
    if (span.end <= reached) continue
    pieces.push(markdown.slice(Math.max(span.start, reached), span.end).trim())
    reached = span.end
  }
  return { text: pieces.join('\n\n'), whole: false }
}

function sectionEnd(markdown: string, headings: readonly MarkdownHeading[], index: number): number {
  const level = headings[index]?.level ?? 1
  return headings.slice(index + 1).find((heading) => heading.level <= level)?.start ?? markdown.length
}

/** The heading of a name; one that the file numbers (`2. Words`) is also known by its words alone. */
function indexOfName(headings: readonly MarkdownHeading[], name: string): number {
  const wanted = comparable(name)
  const exact = headings.findIndex((heading) => comparable(heading.text) === wanted)
  if (exact >= 0 || wanted === '') return exact
  return headings.findIndex((heading) => comparable(heading.text).replace(ordinal, '') === wanted)
}

const ordinal = /^(?:(?:section|part|chapter)\s+)?\d+(?:\.\d+)*[.):]?\s+(?:[-–—]\s+)?/

function comparable(text: string): string {
  return text
    .replace(/^#+\s+/, '')
    .replace(/[*`_]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s:]+$/, '')
    .trim()
    .toLowerCase()
}

/** Anchors as GitHub makes them; a repeated one gets `-1`, `-2`. */
function slugsOf(headings: readonly MarkdownHeading[]): string[] {
  const seen = new Map<string, number>()
  return headings.map((heading) => {
    const slug = heading.text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
}
