/** Text cut to a limit. */
export interface Observation {
  readonly text: string
  /** Characters (UTF-16 code units) of the input that are not in `text`; 0 when nothing was cut. */
  readonly trimmedCharacters: number
}

export interface ShapeOptions {
  /** Characters (UTF-16 code units) that the result may have, the notice included. */
  readonly limit: number
  /** How to get what was cut, as one instruction; stands in the notice. */
  readonly whenTrimmed?: string
}

/** Of what is kept: the share of the beginning, which has headings and structure; the end has results and errors. */
const HEAD_SHARE = 0.6
/** A cut moves to the next line end when that keeps at least this share of its part. */
const LINE_SHARE = 0.75

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Trims a tool's output to its limit so that both ends stay: the head with its structure, the tail with its summary
 * and errors, and between them a notice with the number of characters that are gone.
 *
 * Cuts fall between graphemes, at a line end where one is near, so the result is always well-formed Unicode; lone
 * surrogates of the input become U+FFFD, which strict JSON parsers accept. With a limit too small for both ends and
 * a notice, the notice gets shorter. Source of the rule: field report C04.
 */
export function shapeObservation(input: string, options: ShapeOptions): Observation {
  const text = input.toWellFormed()
  const limit = Math.max(0, Math.floor(options.limit))
  if (text.length <= limit) return { text, trimmedCharacters: 0 }
  const notice = chooseNotice(text.length, limit, options.whenTrimmed)
  const room = Math.max(0, limit - notice(text.length).length)
  const segments = graphemes.segment(text)
  const tailStart = cutBefore(text, segments, text.length - Math.floor(room * (1 - HEAD_SHARE)))
  const headEnd = cutAfter(text, segments, Math.min(tailStart, room - (text.length - tailStart)))
  const removed = tailStart - headEnd
  return {
    text: text.slice(0, headEnd) + notice(removed) + text.slice(tailStart),
    trimmedCharacters: removed,
  }
}

type Notice = (removed: number) => string

/** The fullest notice that leaves at least half of the limit to the text. */
function chooseNotice(length: number, limit: number, whenTrimmed: string | undefined): Notice {
  const notices: readonly Notice[] = [
    (removed) =>
      `\n[… ${removed} characters removed here.${whenTrimmed === undefined ? '' : ` ${whenTrimmed}`} …]\n`,
    (removed) => `\n[… ${removed} characters removed …]\n`,
    (removed) => `[…${removed}…]`,
    () => '…',
  ]
  return notices.find((notice) => notice(length).length <= limit / 2) ?? (() => '')
}

/** The largest cut not after `wanted` that splits no grapheme, at a line end where one is near. */
function cutAfter(text: string, segments: Intl.Segments, wanted: number): number {
  const line = text.lastIndexOf('\n', wanted - 1)
  if (wanted > 0 && line >= wanted * LINE_SHARE) return line + 1 // "\n" always ends a grapheme
  return segments.containing(wanted)?.index ?? wanted
}

/** The smallest cut not before `wanted` that splits no grapheme, at a line start where one is near. */
function cutBefore(text: string, segments: Intl.Segments, wanted: number): number {
  const line = text.indexOf('\n', wanted - 1)
  if (line >= 0 && text.length - (line + 1) >= (text.length - wanted) * LINE_SHARE && line + 1 < text.length)
    return line + 1
  const inside = segments.containing(wanted)
  if (inside === undefined || inside.index === wanted) return wanted
  return inside.index + inside.segment.length
}
