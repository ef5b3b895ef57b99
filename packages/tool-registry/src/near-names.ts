/** Words that models put for one another in names of parameters; the first of a row stands for all. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['query', 'q', 'question', 'search', 'term', 'keyword', 'phrase'],
  ['path', 'file', 'filepath', 'filename'],
  ['folder', 'directory', 'dir'],
  ['url', 'uri', 'link', 'href', 'address', 'webpage'],
  ['limit', 'max', 'maximum', 'count', 'amount', 'n', 'number', 'num', 'size', 'top'],
  ['minimum', 'min'],
  ['content', 'text', 'body', 'message', 'msg'],
  ['location', 'place', 'loc'],
  ['target', 'destination', 'dest', 'to', 'recipient'],
  ['source', 'src', 'from', 'origin', 'sender'],
  ['start', 'begin', 'beginning'],
  ['end', 'stop', 'finish'],
  ['identifier', 'id', 'key'],
  ['kind', 'type', 'category'],
  ['description', 'desc', 'summary'],
  ['language', 'lang', 'locale'],
  ['new', 'updated'],
]
const MEANINGS = new Map(
  SYNONYMS.flatMap(([first = '', ...others]) => [first, ...others].map((word) => [word, first])),
)

/**
 * The parameters that a name may have been meant for, by its words: in another order, with one left out or added,
 * shortened (`loc`), in the plural, with a common synonym or a typing error. The same words in another order win; all
 * other ways count alike, so that more than one parameter means that nobody can tell.
 */
export function nearParameters(written: string, parameters: Iterable<string>): readonly string[] {
  const words = wordsOf(written)
  if (words.length === 0) return []
  const candidates = [...parameters].map((name) => ({ name, words: wordsOf(name) }))
  const reordered = candidates.filter((candidate) => sameWords(words, candidate.words))
  const found =
    reordered.length > 0 ? reordered : candidates.filter((candidate) => isNear(words, candidate.words))
  return found.map(({ name }) => name)
}

function wordsOf(name: string): readonly string[] {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  return words.filter((word) => word !== '').map(singular)
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function sameWords(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && [...left].sort().join(' ') === [...right].sort().join(' ')
}

/** Every word of the shorter name stands for one of the longer, each for another one. */
function isNear(left: readonly string[], right: readonly string[]): boolean {
  const [shorter, longer] = left.length <= right.length ? [left, right] : [right, left]
  if (shorter.length === 0) return false
  const free = [...longer]
  for (const word of shorter) {
    const at = bestIndex(word, free)
    if (at === -1) return isTypingError(left.join(''), right.join(''))
    free.splice(at, 1)
  }
  return true
}

function bestIndex(word: string, words: readonly string[]): number {
  const same = words.indexOf(word)
  return same === -1 ? words.findIndex((other) => meansSame(word, other)) : same
}

function meansSame(left: string, right: string): boolean {
  const meaning = MEANINGS.get(left)
  if (meaning !== undefined && meaning === MEANINGS.get(right)) return true
  return isShortened(left, right) || isShortened(right, left) || isTypingError(left, right)
}

/** `loc` for location, `qty` for quantity: a beginning, or first letter and consonants in order. */
function isShortened(short: string, long: string): boolean {
  if (short.length < 3 || short.length >= long.length) return false
  if (long.startsWith(short)) return true
  if (short[0] !== long[0] || /[aeiou]/.test(short.slice(1))) return false
  let at = 0
  for (const letter of long) if (letter === short[at]) at++
  return at === short.length
}

/** One letter left out, added, changed or swapped in a word of five or more; two in one of nine or more. */
function isTypingError(left: string, right: string): boolean {
  const length = Math.min(left.length, right.length)
  if (length < 5 || Math.abs(left.length - right.length) > 2) return false
  return distance(left, right) <= (length >= 9 ? 2 : 1)
}

/** Optimal string alignment. */
function distance(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, index) => index)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    rows.push(current)
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      let best = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
      )
      if (left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])
        best = Math.min(best, at(row - 2, column - 2) + 1)
      current.push(best)
    }
  }
  return at(left.length, right.length)
}
