import { ChatModelError } from '../errors.js'
import type { ChatRequest, Message } from '../types.js'
import { type Cassette, type Exchange, type RecordedRequest, requestKey } from './replay-cassette.js'

/** Characters shown on either side of the first difference of two texts. */
const contextCharacters = 40

/** The error for a request that a cassette does not hold: names the nearest recorded one and what differs. */
export function replayMiss(cassette: Cassette, request: ChatRequest): ChatModelError {
  const nearest = nearestExchange(cassette.exchanges, request)
  const key = requestKey(request)
  return new ChatModelError({
    code: 'chat/replay-miss',
    what: `The request ${key.slice(0, 12)} was not answered: the cassette of ${cassette.model} does not hold it.`,
    why:
      nearest === undefined
        ? 'The cassette is empty.'
        : `The nearest recorded request is exchange ${nearest.index + 1} of ${cassette.exchanges.length}; ${difference(nearest.exchange.request, request)}.`,
    instead: 'Undo the change, or record the run again (icm run --record <file>).',
    details: {
      key,
      ...(nearest && { nearest: nearest.index, nearestKey: requestKey(nearest.exchange.request) }),
    },
  })
}

function nearestExchange(exchanges: readonly Exchange[], request: ChatRequest) {
  let best: { index: number; exchange: Exchange; score: readonly number[] } | undefined
  for (const [index, exchange] of exchanges.entries()) {
    const score = likeness(exchange.request, request)
    if (best === undefined || compare(score, best.score) > 0) best = { index, exchange, score }
  }
  return best
}

/** Equal messages from the start, then equal characters of the next one, then nearness of the lengths. */
function likeness(recorded: RecordedRequest, request: ChatRequest): readonly number[] {
  const index = firstDifferentMessage(recorded.messages, request.messages)
  const [left, right] = [recorded.messages[index]?.text ?? '', request.messages[index]?.text ?? '']
  return [index, firstDifference(left, right), -Math.abs(recorded.messages.length - request.messages.length)]
}

function compare(left: readonly number[], right: readonly number[]): number {
  for (const [index, value] of left.entries()) {
    const other = right[index] ?? 0
    if (value !== other) return value - other
  }
  return 0
}

function difference(recorded: RecordedRequest, request: ChatRequest): string {
  const index = firstDifferentMessage(recorded.messages, request.messages)
  const [old, now] = [recorded.messages[index], request.messages[index]]
  if (old !== undefined && now !== undefined)
    return `message ${index + 1} differs: ${messageDifference(old, now)}`
  const extra = now ?? old
  if (extra !== undefined) {
    const here = now === undefined ? 'recorded' : 'here'
    return `it has ${recorded.messages.length} messages, this one ${request.messages.length}; message ${index + 1} is only ${here}: ${extra.role} says ${quote(extra.text, 0)}`
  }
  const { messages: _, ...oldSettings } = recorded
  const { messages: __, signal: ___, ...newSettings } = request
  const changed = fieldDifferences(oldSettings, newSettings)
  return `all ${request.messages.length} messages are equal, but ${changed.join(' and ')}`
}

function messageDifference(old: Message, now: Message): string {
  if (old.role !== now.role) return `it is from ${old.role}, here from ${now.role}`
  if (old.text === now.text)
    return `both say ${quote(old.text, 0)}, but ${fieldDifferences(old, now).join(' and ')}`
  const at = firstDifference(old.text, now.text)
  return `at character ${at + 1} it says ${quote(old.text, at)}, here ${quote(now.text, at)}`
}

/** What each field that differs was and is, from where the two begin to differ. */
function fieldDifferences(old: object, now: object): readonly string[] {
  const before = new Map(Object.entries(old))
  const after = new Map(Object.entries(now))
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)].map((value) => JSON.stringify(value))
    if (was === is) return []
    const at = was === undefined || is === undefined ? 0 : firstDifference(was, is)
    const show = (text: string | undefined) => (text === undefined ? 'not set' : quote(text, at))
    return [`${name} was ${show(was)} and is ${show(is)}`]
  })
}

function quote(text: string, at: number): string {
  const start = Math.max(0, at - contextCharacters)
  const end = at + contextCharacters
  return `${start > 0 ? '…' : ''}${JSON.stringify(text.slice(start, end))}${end < text.length ? '…' : ''}`
}

function firstDifferentMessage(left: readonly Message[], right: readonly Message[]): number {
  const shorter = Math.min(left.length, right.length)
  for (let index = 0; index < shorter; index++) {
    if (JSON.stringify(left[index]) !== JSON.stringify(right[index])) return index
  }
  return shorter
}

function firstDifference(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length)
  for (let index = 0; index < shorter; index++) {
    if (left[index] !== right[index]) return index
  }
  return shorter
}
