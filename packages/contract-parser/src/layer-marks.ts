/** `L4 (working):`, `Layer 3 –` at the beginning of an entry. */
export const layerMark = /^(?:L|Layer\s+)([0-9])(?=$|[\s:(–—])(?:\s*\([^()]*\))?\s*[:\-–—]?\s*/i
/** The layer in a remark: `Voice (Layer 3)`. */
const layerRemark = /\((?:L|Layer\s+)([0-9])\b[^()]*\)/i

/** The layer that a text states at its beginning or in a remark; in a `column` of its own also a bare number. */
export function layerOf(text: string, column: boolean): 3 | 4 | undefined {
  if (text === '' || !(column || /^[*`]*l|\(l/i.test(text))) return undefined
  const words = plain(text)
  const digit =
    layerMark.exec(words)?.[1] ??
    (column ? /^([0-9])\b/.exec(words)?.[1] : undefined) ??
    layerRemark.exec(words)?.[1]
  return digit === '3' ? 3 : digit === '4' ? 4 : undefined
}

/** Without emphasis and backticks. */
export function plain(text: string): string {
  return text.includes('**') || text.includes('`') ? text.replace(/\*\*|`/g, '').trim() : text
}
