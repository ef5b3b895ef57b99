// Words of questions that say nothing about their subject. English only: the ranking weighs a frequent word of any
// language down by itself; these are left out because a small folder gives them weight by accident.
const stopWords = new Set(
  (
    'a about an and any are as at be been but by can could did do does for from had has have how i if in into is it ' +
    'its me my of on or our please should so tell than that the their them then there these they this those to was ' +
    'we were what when where which who why will with would you your'
  ).split(' '),
)

const longestTerm = 64

/** A word as the index keeps it: lower case, accents folded. Undefined for what is no word (encoded data). */
export function foldTerm(term: string): string | undefined {
  if (term.length > longestTerm) return undefined
  const folded = term
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replaceAll('ł', 'l')
  return folded === '' ? undefined : folded
}

/** Splits a query or a document into words, as the index does: at spaces and punctuation, `_` included. */
export function splitWords(text: string): readonly string[] {
  return text.split(/[\p{Z}\p{P}\p{S}\p{Cc}]+/u).filter((word) => word !== '')
}

/** The distinct words of a query that say something; all of them when none does. */
export function queryTerms(query: string): readonly string[] {
  const words = splitWords(query)
    .map(foldTerm)
    .filter((word) => word !== undefined)
  const telling = words.filter((word) => !stopWords.has(word))
  return [...new Set(telling.length > 0 ? telling : words)]
}

/**
 * The beginning that a word's other English forms share (`installing` → `install`, `licences` → `licence`): the
 * index is searched for words that begin with it. The word itself when it has no such ending.
 */
export function wordStem(term: string): string {
  // The second step undoes a doubled letter: `running` → `run`.
  return term
    .replace(/(?<=[a-z]{4})(?:ings?|ed|es|(?<!s)s)$/, '')
    .replace(/(?<=[a-z]{2})([bdfgmnprt])\1$/, '$1')
}
