import { hashOf, type TextDocument } from './read-document.js'
import type { ContextPart, DroppedPart } from './types.js'

/** A part with its size; its tokens are counted, and its hash is taken, when first asked for. */
export function contextPart(
  fields: Omit<ContextPart, 'characters' | 'tokens' | 'sha256'>,
  document: TextDocument,
  countTokens: (text: string) => number,
): ContextPart {
  let tokens: number | undefined
  return {
    layer: fields.layer,
    label: fields.label,
    path: fields.path,
    scope: fields.scope,
    text: fields.text,
    characters: fields.text.length,
    get tokens() {
      tokens ??= countTokens(fields.text)
      return tokens
    },
    required: fields.required,
    get sha256() {
      return hashOf(document)
    },
  }
}

/**
 * Leaves optional inputs out, the last one first, until the texts fit the budget. `total` counts the tokens of the
 * assembled texts. Required parts always stay.
 */
export function fitBudget(
  parts: readonly ContextPart[],
  budget: number,
  total: (parts: readonly ContextPart[]) => number,
): {
  readonly parts: readonly ContextPart[]
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
