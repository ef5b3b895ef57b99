/** What one UTF-16 code unit is to the estimate. */
const kinds = [
  'lower',
  'upper',
  'accented',
  'digit',
  'space',
  'newline',
  'mark',
  'pipe',
  'dash',
  'quote',
  'cyrillic',
  'arabic',
  'han',
  'kana',
  'hangul',
  'surrogate',
  'other',
] as const
type Kind = (typeof kinds)[number]

/**
 * Tokens per unit. Fitted by ridge regression on every second one of 1,300 texts (READMEs, code, tables, compiler messages in
 * 14 languages) against the Qwen 2.5 tokenizer, which is that of Qwen 3 too, and rounded; `npm run bench -- tokens` counts on
 * the other half.
 */
const weights = {
  /** A word behind a space, a single mark, several marks, a digit, anything else. */
  word: 0.76,
  markedWord: 0.39,
  markedTwice: 0.82,
  digitWord: 0.1,
  lineWord: 1.91,
  firstWord: 1,
  /** Each letter of a word from the fourth, the seventh, the tenth on. */
  fourth: 0.09,
  seventh: 0.11,
  tenth: 0.54,
  /** A capital inside a word, as in `camelCase`; each further capital of a run. */
  hump: 0.58,
  capitals: 0.02,
  accented: 0.51,
  digit: 1.04,
  digitBehindSpace: 2.27,
  mark: 1,
  pipe: 1.19,
  dash: 0.96,
  moreMarks: 0.16,
  moreDashes: 0.07,
  quote: 0.8,
  newline: 1.05,
  /** Marks take the line break into their own token. */
  newlineBehindMark: 0,
  indentation: 0.86,
  spaces: 1.09,
} as const

/** Tokens per character, and more for the first one of a run. */
const scripts: { readonly [kind in Kind]?: readonly [number, number] } = {
  cyrillic: [0.38, 0],
  arabic: [0.6, 0],
  han: [0.65, 0.48],
  kana: [0.5, 0],
  hangul: [0.81, 0],
  surrogate: [1.2, 0],
  other: [1, 0],
}

/** Words of a language with accents come in more pieces, also those without one: per letter. */
export const foreignLetter = 0.11
/** So many letters around an accented one count as foreign. */
export const foreignReach = 12

const longestRun = 10
const fixedStates = [
  'start',
  'newline',
  'space',
  'indentation',
  'spaces',
  'mark',
  'marks',
  'dash',
  'dashes',
  'digit',
  'quote',
  ...(Object.keys(scripts) as Kind[]),
] as const
type FixedState = (typeof fixedStates)[number]
const lowerRun = fixedStates.length
const upperRun = lowerRun + longestRun
const stride = 32

/** The kind of every code unit, and for each state and kind the tokens that it adds and the next state. */
export interface TokenAutomaton {
  readonly kindOf: Uint8Array
  readonly stride: number
  readonly accented: number
  readonly added: Float64Array
  /** The next state, multiplied by `stride`. */
  readonly next: Uint16Array
}

/** Builds the tables; it takes about a millisecond. */
export function createTokenAutomaton(): TokenAutomaton {
  const kindOf = new Uint8Array(0x10000)
  for (let code = 0; code < kindOf.length; code++) kindOf[code] = kinds.indexOf(kindOfCode(code))
  const states = upperRun + longestRun
  const added = new Float64Array(states * stride)
  const next = new Uint16Array(states * stride)
  for (let state = 0; state < states; state++) {
    for (const [index, kind] of kinds.entries()) {
      const [tokens, following] = step(state, kind)
      added[state * stride + index] = tokens
      next[state * stride + index] = following * stride
    }
  }
  return { kindOf, stride, accented: kinds.indexOf('accented'), added, next }
}

function kindOfCode(code: number): Kind {
  if (code < 0x80) {
    if (code >= 97 && code <= 122) return 'lower'
    if (code >= 65 && code <= 90) return 'upper'
    if (code >= 48 && code <= 57) return 'digit'
    if (code === 32 || code === 9) return 'space'
    if (code === 10 || code === 13) return 'newline'
    if (code === 124) return 'pipe'
    return '-=_*/'.includes(String.fromCharCode(code)) ? 'dash' : 'mark'
  }
  if ((code >= 0xc0 && code < 0x250) || (code >= 0x1e00 && code < 0x2000)) return 'accented'
  if (code < 0xc0 || (code >= 0x2000 && code < 0x2e80)) return 'quote'
  if (code < 0x590) return 'cyrillic'
  if (code < 0x900) return 'arabic'
  if (code >= 0x3040 && code < 0x3100) return 'kana'
  if (code >= 0xac00 && code < 0xd7b0) return 'hangul'
  if (code >= 0xd800 && code < 0xe000) return 'surrogate'
  return (code >= 0x2e80 && code < 0xa000) || code >= 0xf900 ? 'han' : 'other'
}

const stateNamed = (name: FixedState) => fixedStates.indexOf(name)

function step(state: number, kind: Kind): readonly [number, number] {
  const name = fixedStates[state]
  const script = scripts[kind]
  if (script) return [script[0] + (name === kind ? 0 : script[1]), stateNamed(kind as FixedState)]
  const marked = name === 'mark' || name === 'marks' || name === 'dash' || name === 'dashes'
  switch (kind) {
    case 'lower':
    case 'upper':
    case 'accented':
      return letterStep(state, kind)
    case 'digit': {
      const spaced = name === 'space' || name === 'indentation' || name === 'spaces'
      return [spaced ? weights.digitBehindSpace : weights.digit, stateNamed('digit')]
    }
    case 'space':
      if (name === 'start' || name === 'newline') return [weights.indentation, stateNamed('indentation')]
      if (name === 'space') return [weights.spaces, stateNamed('spaces')]
      return [0, name === 'indentation' || name === 'spaces' ? state : stateNamed('space')]
    case 'newline':
      if (name === 'newline') return [0, state]
      return [marked ? weights.newlineBehindMark : weights.newline, stateNamed('newline')]
    case 'dash': {
      if (!marked) return [weights.dash, stateNamed('dash')]
      const more = name === 'dash' || name === 'dashes' ? weights.moreDashes : weights.moreMarks
      return [more, stateNamed('dashes')]
    }
    case 'quote':
      return [weights.quote, stateNamed('quote')]
    default: {
      if (marked) return [weights.moreMarks, stateNamed('marks')]
      return [kind === 'pipe' ? weights.pipe : weights.mark, stateNamed('mark')]
    }
  }
}

function letterStep(state: number, kind: 'lower' | 'upper' | 'accented'): readonly [number, number] {
  const accent = kind === 'accented' ? weights.accented : 0
  const runs = kind === 'upper' ? upperRun : lowerRun
  if (state < lowerRun) return [wordWeight(fixedStates[state]) + accent, runs]
  const afterUpper = state >= upperRun
  if (kind === 'upper' && !afterUpper) return [weights.hump, runs]
  const run = Math.min(longestRun, state - (afterUpper ? upperRun : lowerRun) + 2)
  const long = run >= 10 ? weights.tenth : run >= 7 ? weights.seventh : run >= 4 ? weights.fourth : 0
  return [long + accent + (kind === 'upper' ? weights.capitals : 0), runs + run - 1]
}

function wordWeight(before: FixedState | undefined): number {
  switch (before) {
    case 'start':
      return weights.firstWord
    case 'space':
    case 'indentation':
    case 'spaces':
      return weights.word
    case 'mark':
    case 'dash':
      return weights.markedWord
    case 'marks':
    case 'dashes':
      return weights.markedTwice
    case 'digit':
      return weights.digitWord
    default:
      return weights.lineWord
  }
}
