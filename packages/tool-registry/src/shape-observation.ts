import type { TrimmedPart } from './types.js'

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
  readonly whenTrimmed?: string | ((cut: TrimmedPart) => string)
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
  const notice = chooseNotice(wholeText(text), limit, options.whenTrimmed)
  const reserved = notice(wholeText(text)).length
  const room = Math.max(0, limit - reserved)
  const segments = graphemes.segment(text)
  const tailStart = cutBefore(text, segments, text.length - Math.floor(room * (1 - HEAD_SHARE)))
  const headEnd = cutAfter(text, segments, Math.min(tailStart, room - (text.length - tailStart)))
  const cut = partBetween(text, headEnd, tailStart)
  const said = notice(cut)
  return {
    text:
      text.slice(0, headEnd) +
      (said.length <= reserved ? said : plainNotice(cut, reserved)) +
      text.slice(tailStart),
    trimmedCharacters: cut.characters,
  }
}

type Notice = (cut: TrimmedPart) => string

/** Stands for any cut while room is reserved: its numbers have the most digits. */
function wholeText(text: string): TrimmedPart {
  const lines = countLines(text, 0, text.length)
  return { characters: text.length, fromLine: lines, toLine: lines, lines }
}

function partBetween(text: string, start: number, end: number): TrimmedPart {
  const fromLine = countLines(text, 0, start)
  const toLine = fromLine + countLines(text, start, end > start && text[end - 1] === '\n' ? end - 1 : end) - 1
  return { characters: end - start, fromLine, toLine, lines: toLine - fromLine + 1 }
}

/** Line ends between two places, and one. */
function countLines(text: string, start: number, end: number): number {
  let lines = 1
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** The fullest notice that leaves at least half of the limit to the text. */
function chooseNotice(whole: TrimmedPart, limit: number, whenTrimmed: ShapeOptions['whenTrimmed']): Notice {
  const hint = typeof whenTrimmed === 'function' ? whenTrimmed : () => whenTrimmed ?? ''
  const notices: readonly Notice[] = [
    (cut) => {
      const said = hint(cut)
      return `\n[… ${cut.characters} characters removed here.${said === '' ? '' : ` ${said}`} …]\n`
    },
    ...PLAIN_NOTICES,
  ]
  return notices.find((notice) => notice(whole).length <= limit / 2) ?? (() => '')
}

const PLAIN_NOTICES: readonly Notice[] = [
  ({ characters }) => `\n[… ${characters} characters removed …]\n`,
  ({ characters }) => `[…${characters}…]`,
  () => '…',
]

/** For a hint that grew longer than what was reserved for it. */
function plainNotice(cut: TrimmedPart, room: number): string {
  return PLAIN_NOTICES.map((notice) => notice(cut)).find((said) => said.length <= room) ?? ''
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
