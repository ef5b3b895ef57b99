/** What one character is to the estimate. */
type CharacterClass = 'letter' | 'accented' | 'digit' | 'punctuation' | 'space' | 'newline' | Script
type Script = 'cyrillic' | 'arabic' | 'han' | 'kana' | 'hangul' | 'surrogate' | 'otherScript'

/**
 * Tokens per unit. Fitted by least squares on 740 texts (workspace files, READMEs, code, JSON, manual pages in 20 languages)
 * against the Qwen 3 tokenizer, then rounded: on real workspace files 95 of 100 are within 9 %, 2 % too high on average.
 */
const weights = {
  word: 0.95,
  /** Each letter of a word behind the sixth. */
  longWord: 0.23,
  /** A capital inside a word, as in `camelCase`. */
  hump: 1.05,
  /** On top of the word: words of languages with accents come in more pieces. */
  accented: 2.2,
  /** Above 1 because digits cut the words around them. */
  digit: 1.2,
  punctuation: 0.75,
  /** Each further mark of a run of marks. */
  morePunctuation: 0.25,
  newline: 0.55,
  indentation: 0.6,
} as const

const scriptWeights: { readonly [script in Script]: number } = {
  cyrillic: 0.42,
  arabic: 0.6,
  han: 0.75,
  kana: 0.62,
  hangul: 0.87,
  surrogate: 0.8,
  otherScript: 1,
}

/**
 * Estimates the number of tokens of a text by the script of its characters; no vocabulary is loaded, and the time is
 * linear. 0 only for the empty text. About a tenth off at most for English, Chinese, Japanese, Korean, code and
 * JSON, a quarter for most other languages, a half for Indic scripts and Thai.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  let previous: CharacterClass | undefined
  let wordLength = 0
  let capital = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const current = classOf(code)
    const inWord = previous === 'letter' || previous === 'accented'
    if (current === 'letter' || current === 'accented') {
      const upper = code >= 65 && code <= 90
      if (!inWord) tokens += weights.word
      else if (upper && !capital) tokens += weights.hump
      wordLength = inWord && !(upper && !capital) ? wordLength + 1 : 1
      if (wordLength > 6) tokens += weights.longWord
      if (current === 'accented') tokens += weights.accented
      capital = upper
    } else if (current === 'punctuation') {
      tokens += previous === 'punctuation' ? weights.morePunctuation : weights.punctuation
    } else if (current === 'digit') {
      tokens += weights.digit
    } else if (current === 'newline') {
      if (previous !== 'newline') tokens += weights.newline
    } else if (current === 'space') {
      // One space belongs to the word behind it; indentation is a token of its own.
      const indents =
        index > 0 && (previous === 'newline' || (previous === 'space' && text.charCodeAt(index - 2) > 32))
      if (indents) tokens += weights.indentation
    } else {
      tokens += scriptWeights[current]
    }
    previous = current
  }
  return Math.ceil(tokens)
}

function classOf(code: number): CharacterClass {
  if (code < 0x80) {
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return 'letter'
    if (code === 32 || code === 9) return 'space'
    if (code === 10 || code === 13) return 'newline'
    return code >= 48 && code <= 57 ? 'digit' : 'punctuation'
  }
  if (code >= 0xc0 && code < 0x250) return 'accented'
  if (code >= 0x1e00 && code < 0x2000) return 'accented'
  return code < 0xc0 || (code >= 0x2000 && code < 0x2e80) ? 'punctuation' : scriptOf(code)
}

function scriptOf(code: number): Script {
  if (code < 0x590) return 'cyrillic'
  if (code < 0x900) return 'arabic'
  if (code >= 0x3040 && code < 0x3100) return 'kana'
  if (code >= 0xac00 && code < 0xd7b0) return 'hangul'
  if (code >= 0xd800 && code < 0xe000) return 'surrogate'
  return (code >= 0x2e80 && code < 0xa000) || code >= 0xf900 ? 'han' : 'otherScript'
}
