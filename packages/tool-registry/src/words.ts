const STOP_WORDS = new Set(
  (
    'a an and are as at be been by can could do does for from get give given had has have how i if in into is it its ' +
    'like ll me my need of on or our please s so some such t than that the their them then there these they this to up ' +
    'us ve was we were what when where which who will with would you your want help find show tell let know'
  ).split(' '),
)

/** The words of a text or a name as they are compared: split at `_`, `.` and capitals, without stop words, stemmed. */
export function wordsIn(text: string): readonly string[] {
  return text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !STOP_WORDS.has(word))
    .map(stem)
}

const ENDINGS: readonly (readonly [string, number])[] = [
  ['ation', 7],
  ['ment', 6],
  ['ion', 6],
  ['ing', 6],
  ['ed', 5],
  ['ly', 6],
  ['er', 6],
]

/** A light stem of an English word: enough that `booking`, `booked` and `books` meet, and other languages stay. */
function stem(word: string): string {
  let stemmed = word
  if (stemmed.length > 4 && stemmed.endsWith('ies')) stemmed = `${stemmed.slice(0, -3)}y`
  else if (stemmed.length > 3 && /[^su]s$/.test(stemmed)) stemmed = stemmed.slice(0, -1)
  const ending = ENDINGS.find(([suffix, length]) => stemmed.length >= length && stemmed.endsWith(suffix))
  if (ending !== undefined) stemmed = stemmed.slice(0, -ending[0].length).replace(/([bdfgmnprt])\1$/, '$1')
  return stemmed.length > 4 && stemmed.endsWith('e') ? stemmed.slice(0, -1) : stemmed
}
