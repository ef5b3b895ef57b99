const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** At most `length` characters (UTF-16 code units) of a line, cut before a word with `…`. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  const head = wholeGraphemes(text, length - 1)
  const space = head.lastIndexOf(' ')
  return `${(space > length / 2 ? head.slice(0, space) : head).trimEnd()}…`
}

/**
 * The beginning of a text, at most `length` characters: up to a paragraph's end when one lies in its last quarter,
 * else a line's end there, else a whole grapheme.
 */
export function headOf(text: string, length: number): string {
  if (text.length <= length) return text
  const head = wholeGraphemes(text, length)
  for (const end of ['\n\n', '\n']) {
    const cut = head.lastIndexOf(end)
    if (cut >= length * 0.75) return head.slice(0, cut)
  }
  return head
}

function wholeGraphemes(text: string, length: number): string {
  // A segment that only begins before the cut belongs to the part behind it.
  const start = graphemes.segment(text).containing(length)?.index ?? length
  return text.slice(0, start)
}
