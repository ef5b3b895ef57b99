import { createTokenAutomaton, foreignLetter, foreignReach, type TokenAutomaton } from './token-automaton.js'

let automaton: TokenAutomaton | undefined

/**
 * Estimates the number of tokens of a text in one pass over its characters; no vocabulary is loaded. 0 only for the empty text.
 * Against the Qwen tokenizer 95 of 100 texts of English, Polish, Korean, code and tables are within 15 %; most other
 * languages are within a quarter, Indic scripts and Thai within a half.
 */
export function estimateTokens(text: string): number {
  if (text === '') return 0
  automaton ??= createTokenAutomaton()
  const { kindOf, added, next, accented } = automaton
  let state = 0
  let tokens = 0
  let accents = 0
  for (let index = 0; index < text.length; index++) {
    const kind = kindOf[text.charCodeAt(index)] as number
    const move = state + kind
    tokens += added[move] as number
    state = next[move] as number
    if (kind === accented) accents++
  }
  const foreign = Math.min(text.length * 0.85, accents * foreignReach) * foreignLetter
  return Math.max(1, Math.ceil(tokens + foreign))
}
