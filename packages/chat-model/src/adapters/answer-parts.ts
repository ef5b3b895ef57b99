import { ChatModelError } from '../errors.js'
import type { ChatEvent, Message } from '../types.js'
import type { AnswerPiece } from './think-blocks.js'

/**
 * Gives each call of an answer an id that no call of the conversation has, so that a resumed run never repeats one: the
 * server's own where it is new, else `call-<n>`, counted over the whole conversation.
 */
export function createIdMint(messages: readonly Message[]): (given?: string) => string {
  const minted: string[] = []
  return (given) => {
    let id = given ?? ''
    for (let count = countCalls(messages) + minted.length + 1; id === '' || isUsed(id); count++)
      id = `call-${count}`
    minted.push(id)
    return id
  }
  // A search instead of a set of all ids: most answers hold one call or none.
  function isUsed(id: string): boolean {
    if (minted.includes(id)) return true
    return messages.some(
      (message) => message.role === 'assistant' && message.toolCalls?.some((call) => call.id === id),
    )
  }
}

function countCalls(messages: readonly Message[]): number {
  let count = 0
  for (const message of messages) if (message.role === 'assistant') count += message.toolCalls?.length ?? 0
  return count
}

/**
 * Whether a prompt of so many tokens may be less than half of what was sent, and what was sent too much for the window:
 * then it is worth counting. `bodyBytes` is the size of the whole request, so the answer is on the safe side.
 */
export function isMuchShorterThan(bodyBytes: number, inputTokens: number, contextWindow: number): boolean {
  return bodyBytes / 3 > contextWindow && inputTokens < bodyBytes / 6
}

/** Adds sorted pieces of text to an answer and to its events. */
export function addPieces(
  pieces: readonly AnswerPiece[],
  parts: { text: string; reasoning: string },
  events: ChatEvent[],
): void {
  for (const { kind, text } of pieces) {
    parts[kind] += text
    events.push({ type: kind === 'text' ? 'text-delta' : 'reasoning-delta', text })
  }
}

/** For an answer that stops without the mark of its end. */
export function endedEarly(who: string): ChatModelError {
  return new ChatModelError({
    code: 'chat/stream-corrupt',
    what: `The answer of ${who} ended without its last line.`,
    why: 'Without it nobody knows whether the answer is complete.',
    instead: 'Look into the log of the server, then repeat the call.',
    retryable: true,
  })
}
