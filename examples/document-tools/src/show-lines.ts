/** Longer lines are shown as several, so that every part of a text can be asked for by line. */
const LONGEST_LINE = 1_000

/** A text as the lines by which its parts are asked for. */
export function linesOf(text: string): readonly string[] {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  return lines.flatMap((line) => (line.length <= LONGEST_LINE ? [line] : (line.match(/.{1,500}/gsu) ?? [])))
}

export interface LineRange {
  /** First line, from 1. */
  readonly from: number
  /** How many; default all that follow. */
  readonly lines?: number | undefined
}

/** Some lines under a line that says which they are. */
export function showLines(title: string, all: readonly string[], { from, lines }: LineRange): string {
  const shown = all.slice(from - 1, lines === undefined ? undefined : from - 1 + lines)
  return [`${title}: lines ${from}–${from - 1 + shown.length} of ${all.length}`, ...shown].join('\n')
}
