import type { Message, ToolSpec } from '../types.js'

/** How one server wants what stays the same within a conversation. */
export interface WireFormat {
  readonly model: string
  message(message: Message): object
  tool(tool: ToolSpec): object
}

/** A body that is ready to be sent. */
export interface RequestBody {
  /** Not to be changed, and not to be read once `free` was called. */
  readonly bytes: Uint8Array
  /** Says that the call is over, so that the next body may be built on this one. */
  free(): void
}

/**
 * Writes the bodies of a model's calls: `{ model, tools, messages, …tail }`.
 *
 * The order is part of the contract: what stays the same within a run (model, tools) comes before the messages, what
 * may change (format, sampling) after them, and each message's text depends on that message alone. So the body of
 * a turn, up to the end of its messages, is an exact prefix of the next turn's, and the server's prefix cache
 * keeps working (field report A14). The bytes of that prefix are kept: a turn costs what its own messages
 * cost, however long the conversation is. Calls at the same time get bytes of their own.
 */
export function createBodyWriter(
  format: WireFormat,
): (messages: readonly Message[], tools: readonly ToolSpec[], tail: object) => RequestBody {
  let idle: Draft | undefined = emptyDraft()
  return function write(messages, tools, tail) {
    const draft = idle ?? emptyDraft()
    idle = undefined
    if (!isSameList(draft.tools, tools)) {
      const list = tools.length === 0 ? '' : `"tools":${JSON.stringify(tools.map(format.tool))},`
      draft.tools = [...tools]
      draft.written.length = 0
      draft.length = 0
      append(draft, `{"model":${JSON.stringify(format.model)},${list}"messages":[`)
      draft.headEnd = draft.length
    }
    keepCommonMessages(draft, messages)
    for (const message of messages.slice(draft.written.length)) {
      const comma = draft.written.length === 0 ? '' : ','
      append(draft, comma + toWellFormedJson(format.message(message)))
      const { text } = message
      draft.written.push({
        message,
        text,
        reasoning: reasoningOf(message),
        rest: restOf(message),
        end: draft.length,
      })
    }
    const end = draft.length
    append(draft, `],${JSON.stringify(tail).slice(1)}`)
    const bytes = draft.bytes.subarray(0, draft.length)
    draft.length = end
    return {
      bytes,
      free() {
        idle ??= draft
      },
    }
  }
}

/** A message in the draft, and what its text was made of. */
interface Written {
  readonly message: Message
  readonly text: string
  readonly reasoning: unknown
  /** Calls or images. */
  readonly rest: unknown
  readonly end: number
}

interface Draft {
  bytes: Buffer
  length: number
  headEnd: number
  /** Undefined before the first body. */
  tools: readonly ToolSpec[] | undefined
  readonly written: Written[]
}

function emptyDraft(): Draft {
  return { bytes: Buffer.allocUnsafe(smallest), length: 0, headEnd: 0, tools: undefined, written: [] }
}

const smallest = 16 * 1024

/** Drops what the draft has beyond the messages that both have at the start. */
function keepCommonMessages(draft: Draft, messages: readonly Message[]): void {
  let count = 0
  for (const written of draft.written) {
    if (messages[count] !== written.message || hasChanged(written)) break
    count++
  }
  draft.written.length = count
  draft.length = draft.written.at(-1)?.end ?? draft.headEnd
}

/** A caller may have changed a message in place, against the types. */
function hasChanged({ message, text, reasoning, rest }: Written): boolean {
  return message.text !== text || reasoningOf(message) !== reasoning || restOf(message) !== rest
}

function reasoningOf(message: Message): unknown {
  return message.role === 'assistant' ? message.reasoning : undefined
}

function restOf(message: Message): unknown {
  if (message.role === 'assistant') return message.toolCalls
  return message.role === 'user' ? message.images : undefined
}

function isSameList(one: readonly unknown[] | undefined, other: readonly unknown[]): boolean {
  return one?.length === other.length && one.every((item, index) => item === other[index])
}

/** Half a character, left by a cut in the middle of it, is refused by strict parsers (field report C04). */
function toWellFormedJson(value: object): string {
  const text = JSON.stringify(value)
  if (!text.includes('\\ud')) return text // how JSON.stringify writes such a half
  return JSON.stringify(value, (_, part) => (typeof part === 'string' ? part.toWellFormed() : part))
}

function append(draft: Draft, text: string): void {
  const most = draft.length + text.length * 3
  if (most > draft.bytes.length) {
    const wider = Buffer.allocUnsafe(Math.max(most, draft.bytes.length + (draft.bytes.length >> 1)))
    draft.bytes.copy(wider, 0, 0, draft.length)
    draft.bytes = wider
  }
  draft.length += draft.bytes.write(text, draft.length, 'utf8')
}
