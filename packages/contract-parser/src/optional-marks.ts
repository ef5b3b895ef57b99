/** Without one of these no text marks an entry as optional; most have none. */
export const mayBeOptional =
  /[([]|ptional|PTIONAL|nly |[aA]ny|[iI]f |[wW]he(?:n|re) |needed|relevant|required|necessary|demand/

const ifThere =
  '(?:if|when|where) (?:it |they |you |one |there )?(?:exists?|applicable|any|available|present|provided|given|have (?:one|any)|is one|are any)'
/** What people write in other languages for `if exists` and `optional`. */
const elsewhere =
  'jeśli (?:istnieje|jest)|opcjonaln|(?:wenn|falls) vorhanden|optionnel|facultati|si existe|s.il existe|se (?:existe|esiste|disponibile)|opcional|facoltativ|если есть|по желанию|있으면|있는 경우|선택 ?사항|任意|可选|可選|如有|若有'
const optionalRemark = new RegExp(
  `[(\\[](?:[^()]*\\b)?(?:optional|${ifThere})\\b[^()]*[)\\]]|\\([^()]*(?:${elsewhere})[^()]*\\)`,
  'i',
)
/** A round that not every run has: `(reruns only)`, `(iteration only)`. */
const laterRoundRemark =
  /\((?:prior |later |second |next )?(?:re-?runs?|iterations?|revisions?|rounds?|follow-?ups?|retry|retries|loops?|re-?entry)\b[^()]*\bonly\)/i
const optionalWords = new RegExp(
  [
    '\\bonly (?:if|when|on)\\b',
    '\\bany (?:\\w+ )?files?\\b[^|]*\\b(?:drop|upload|add|provide|paste|attach)(?:s|es)?\\b',
    '\\bif any[.\\s]*$',
    // A cell of its own.
    '^(?:(?:as|if|when) (?:needed|relevant|required|necessary)|on demand)\\.?$',
    // Outside parentheses only where it stands for itself: "Optional: ...", "... — optional", "..., if it exists".
    `(?:^|[,;:.|—–]|\\s-)[\\s*_]*(?:optional(?:ly)?(?=[\\s*_]*(?:$|[,;:.|)—–(]))|${ifThere}\\b)`,
  ].join('|'),
  'i',
)

/** Whether a text marks its entry as optional: `(if exists)`, `only when ...`, `(reruns only)`. */
export function isOptional(text: string): boolean {
  // No person writes such a line, and the search for pairs of brackets could take quadratic time.
  if (text.length > 4000) return false
  // Most texts hold none of the marks, whatever their case.
  if (!mayBeOptional.test(text)) return false
  if (/[([]/.test(text) && (optionalRemark.test(text) || laterRoundRemark.test(text))) return true
  return optionalWords.test(text)
}
