import type { Message } from '@icm/chat-model'

const keptCharacters = 400
/** The notice that follows what is kept; a result that was shortened before is not shortened again. */
const noticeCharacters = 60

/** Tokens of a text when no tokenizer is at hand: one per three characters, on the safe side for European text. */
export function roughTokens(characters: number): number {
  return Math.ceil(characters / 3)
}

/** Here the safe side is the lower one. */
function savedTokens(characters: number): number {
  return Math.floor(characters / 4)
}

/**
 * Shortens the oldest tool results, one after the other, until `excessTokens` are saved or none is left. The system
 * text, the task and the calls stay, so that no result is orphaned (field report A01).
 */
export function compactHistory(
  messages: readonly Message[],
  excessTokens: number,
): {
  readonly messages: readonly Message[]
  readonly shortenedResults: number
  readonly removedCharacters: number
  readonly removedTokens: number
} {
  const compacted = [...messages]
  let removed = 0
  let shortened = 0
  for (const [index, message] of compacted.entries()) {
    if (savedTokens(removed) >= excessTokens) break
    if (message.role !== 'tool' || message.text.length <= keptCharacters + noticeCharacters) continue
    const head = cutOnBoundary(message.text, keptCharacters)
    const cut = message.text.length - head.length
    compacted[index] = { ...message, text: `${head}\n[${cut} characters removed to make room]` }
    removed += cut
    shortened++
  }
  return {
    messages: compacted,
    shortenedResults: shortened,
    removedCharacters: removed,
    removedTokens: savedTokens(removed),
  }
}

function cutOnBoundary(text: string, length: number): string {
  const head = text.slice(0, length)
  const lastLine = head.lastIndexOf('\n')
  const whole = lastLine > length / 2 ? head.slice(0, lastLine) : head
  return whole.isWellFormed() ? whole : whole.slice(0, -1)
}
