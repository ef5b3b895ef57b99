// What a person does not see and a model reads: control characters except tab and line feed, soft hyphen, bidi marks
// and overrides, zero-width characters, fillers, invisible operators, interlinear annotations, tag characters and the
// supplementary variation selectors (used to carry hidden text).
const HIDDEN =
  /(?![\t\n])\p{Cc}|[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e01ef}]/gu

// Terminal control: CSI (colours, cursor), OSC and the other strings up to BEL or ST, and short escapes.
const ESC = '\u001b'
const END = `(?:\u0007|\u009c|${ESC}\\\\|$)`
const ANSI = new RegExp(
  `(?:${ESC}\\[|\u009b)[0-?]*[ -/]*[@-~]|(?:${ESC}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u009c${ESC}]*${END}|${ESC}[ -/]*[0-~]`,
  'g',
)

// Joiners mean something, one at a time, between letters of Persian, Indic scripts and emoji, and nothing inside
// Latin text. Rows are cut first: a pattern with "+" at both ends of a look-around would take quadratic time.
const JOINER_ROWS = /(?<=[\u200c\u200d])[\u200c\u200d]+/g
const STRAY_JOINERS = /(?<![\u0100-\u{10ffff}])[\u200c\u200d]|[\u200c\u200d](?![\u0100-\u{10ffff}])/gu

// One variation selector may follow a character; a row of them is data.
const SELECTOR_ROWS = /(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]+/gu

/**
 * Removes what is in a text without being visible in it: ANSI escapes, bidi controls, zero-width and other invisible
 * characters. Line breaks become `\n`; visible text, emoji and complex scripts stay.
 */
export function stripHidden(text: string): string {
  return text
    .replace(ANSI, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(HIDDEN, '')
    .replace(JOINER_ROWS, '')
    .replace(STRAY_JOINERS, '')
    .replace(SELECTOR_ROWS, '')
}
