/** UTF-16 code units that the scanners compare with. */
export const tab = 9
export const space = 32
export const hash = 35
export const asterisk = 42
export const plus = 43
export const dash = 45
export const dot = 46
export const colon = 58
export const lessThan = 60
export const greaterThan = 62
export const backslash = 92
export const underscore = 95
export const backtick = 96
export const pipe = 124
export const tilde = 126

/** The offset of the first character from `at` on that is neither space nor tab; the text's length when there is none. */
export function skipSpace(text: string, at: number): number {
  let index = at
  // Reading behind the end would make this loop slow for every text.
  while (index < text.length && isSpace(text.charCodeAt(index))) index++
  return index
}

/** Space or tab. */
export function isSpace(code: number): boolean {
  return code === space || code === tab
}
