import { hashOf, type TextDocument } from './read-document.js'
import type { ContextPart, DroppedPart } from './types.js'

/** A piece of the assembled text, and the file that it is from. */
export interface PartOfText extends Omit<ContextPart, 'characters' | 'tokens' | 'sha256'> {
  readonly document: TextDocument
}

/** The part as callers see it, frozen; its tokens are counted, and its hash is taken, when first asked for. */
export function contextPart(part: PartOfText, countTokens: (text: string) => number): ContextPart {
  const { layer, label, path, scope, text, required, document } = part
  let tokens: number | undefined
  return Object.freeze({
    layer,
    label,
    path,
    scope,
    text,
    characters: text.length,
    get tokens() {
      tokens ??= countTokens(text)
      return tokens
    },
    required,
    get sha256() {
      return hashOf(document)
    },
  })
}

/**
 * Leaves optional inputs out, the last one first, until the texts fit the budget. `total` counts the tokens of the
 * assembled texts. Required parts always stay.
 */
export function fitBudget(
  parts: readonly PartOfText[],
  budget: number,
  total: (parts: readonly PartOfText[]) => number,
): {
  readonly parts: readonly PartOfText[]
  readonly dropped: readonly DroppedPart[]
  readonly tokens: number
} {
  const dropped: DroppedPart[] = []
  let kept = parts
  let tokens = total(kept)
  while (tokens > budget) {
    const last = kept.findLast((part) => !part.required)
    if (!last) break
    kept = kept.filter((part) => part !== last)
    dropped.push({ label: last.label, reason: `optional, and over the budget of ${budget} tokens` })
    tokens = total(kept)
  }
  return { parts: kept, dropped, tokens }
}
