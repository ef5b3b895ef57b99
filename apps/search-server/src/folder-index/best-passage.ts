import type { Block } from '@icm/documents'
import { foldTerm, splitWords } from './query-terms.js'

/** The longest passage, in characters. */
export const maxSnippetCharacters = 200

/** A word of the document that matched. */
export interface MatchedWord {
  /** The query's word that it stands for: `stream` and `streaming` count once. */
  readonly term: string
  /** 1 for the very word, less for one that only begins like it or is spelt nearly so. */
  readonly worth: number
}

interface Piece {
  readonly text: string
  readonly kind: Block['kind']
  /** The query's words in it, each with its highest worth. */
  readonly terms: ReadonlyMap<string, number>
}

/**
 * The passage of a document that fits a query best: one or two neighbouring sentences (a heading or a code line
 * counts as one), at most `maxSnippetCharacters` long, cut at a word with `…` when they are longer.
 * A word that stands all over the document (its subject) tells passages apart less than a rare one.
 */
export function bestPassage(blocks: readonly Block[], matched: ReadonlyMap<string, MatchedWord>): string {
  const pieces = blocks.flatMap((block) => piecesOf(block, matched))
  const rarity = new Map(
    [...new Set([...matched.values()].map((word) => word.term))].map((term) => {
      const uses = pieces.filter((piece) => piece.terms.has(term)).length
      return [term, 1 / Math.max(1, uses) ** 0.25]
    }),
  )
  let best: { readonly score: number; readonly pieces: readonly Piece[] } | undefined
  pieces.forEach((piece, index) => {
    const next = pieces[index + 1]
    const candidates = next === undefined || next.kind === 'heading' ? [[piece]] : [[piece], [piece, next]]
    for (const candidate of candidates) {
      const score = scoreOf(candidate, rarity)
      if (best === undefined || score > best.score) best = { score, pieces: candidate }
    }
  })
  return best === undefined ? '' : excerpt(joined(best.pieces), matched)
}

function piecesOf(block: Block, matched: ReadonlyMap<string, MatchedWord>): readonly Piece[] {
  const texts =
    block.kind === 'code'
      ? block.text.split('\n')
      : block.kind === 'text'
        ? sentences(block.text)
        : [block.text]
  return texts
    .map((text) => text.trim())
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .map((text) => ({ text, kind: block.kind, terms: termsIn(text, matched) }))
}

function sentences(text: string): readonly string[] {
  return text.split(/(?<=[.!?…])\s+(?=[\p{Lu}\p{N}`"'(\p{Lo}])/u)
}

function termsIn(text: string, matched: ReadonlyMap<string, MatchedWord>): ReadonlyMap<string, number> {
  const terms = new Map<string, number>()
  for (const word of splitWords(text)) {
    const match = matched.get(foldTerm(word) ?? '')
    if (match !== undefined) terms.set(match.term, Math.max(match.worth, terms.get(match.term) ?? 0))
  }
  return terms
}

function scoreOf(pieces: readonly Piece[], rarity: ReadonlyMap<string, number>): number {
  const terms = new Map<string, number>()
  for (const [term, worth] of pieces.flatMap((piece) => [...piece.terms])) {
    terms.set(term, Math.max(worth, terms.get(term) ?? 0))
  }
  const value = [...terms].reduce((sum, [term, worth]) => sum + worth * (rarity.get(term) ?? 0), 0)
  const fits = joined(pieces).length <= maxSnippetCharacters
  // A second sentence must not cost the first one its end; a heading or code alone, or "set it with:", says little.
  const bare = pieces.every((piece) => piece.kind === 'heading')
  const onlyCode = pieces.every((piece) => piece.kind === 'code')
  const unfinished = pieces.at(-1)?.text.endsWith(':')
  // Of equals: a second sentence is welcome behind one that fits, one in front that does not is ballast.
  const [first] = pieces
  const lead =
    pieces.length === 1 || first?.kind === 'heading' ? 0 : (first?.terms.size ?? 0) > 0 && fits ? 0.01 : -0.01
  return value * (fits ? 1 : 0.9) * (bare ? 0.5 : onlyCode ? 0.8 : 1) * (unfinished ? 0.8 : 1) + lead
}

function joined(pieces: readonly Piece[]): string {
  return pieces
    .map((piece, index) =>
      piece.kind === 'heading' && index < pieces.length - 1 ? `${piece.text}:` : piece.text,
    )
    .join(' ')
}

/** At most `maxSnippetCharacters` of a text, around its first matched word. */
function excerpt(text: string, matched: ReadonlyMap<string, MatchedWord>): string {
  if (text.length <= maxSnippetCharacters) return text
  const first = [...text.matchAll(/[\p{L}\p{N}]+/gu)].find((word) => matched.has(foldTerm(word[0]) ?? ''))
  const from = Math.max(0, Math.min((first?.index ?? 0) - 60, text.length - maxSnippetCharacters + 2))
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1
  const head = start === 0 ? '' : '… '
  return head + shorten(text.slice(start), maxSnippetCharacters - head.length)
}

/** At most `length` characters, cut before a word with `…`. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(0, length - 1)
  const space = cut.lastIndexOf(' ')
  const end = space > length / 2 ? space : cut.length
  return `${cut
    .slice(0, end)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`
}
