import { ChatModelError } from '../errors.js'
import type { ChatEvent, Message } from '../types.js'
import type { AnswerPiece } from './think-blocks.js'

/**
 * Gives each call of an answer an id that no call of the conversation has, so that a resumed run never repeats one: the
 * server's own where it is new, else `call-<n>`, counted over the whole conversation.
 */
export function createIdMint(messages: readonly Message[]): (given?: string) => string {
  let used: Set<string> | undefined // most answers hold no call
  return (given) => {
    used ??= idsOf(messages)
    let id = given ?? ''
    for (let count = used.size + 1; id === '' || used.has(id); count++) id = `call-${count}`
    used.add(id)
    return id
  }
}

function idsOf(messages: readonly Message[]): Set<string> {
  const ids = new Set<string>()
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of message.toolCalls ?? []) ids.add(call.id)
  }
  return ids
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
