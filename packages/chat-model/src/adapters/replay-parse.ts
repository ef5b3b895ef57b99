import { ChatModelError } from '../errors.js'
import type { Message, ToolSpec } from '../types.js'
import type { Cassette, Exchange, StoredCassette, StoredExchange } from './replay-cassette.js'

/**
 * Reads a cassette's text. Throws `chat/bad-cassette`, which names the place: a line where the text is no JSON, else
 * a path such as `exchanges[3].reason`. `path` is the file's name for that message.
 */
export function parseCassette(text: string, options: { readonly path?: string } = {}): Cassette {
  const name = options.path ?? 'the text'
  let root: unknown
  try {
    root = JSON.parse(text)
  } catch (cause) {
    throw badCassette(name, { place: lineOf(cause, text), fault: 'is not JSON' }, cause)
  }
  const [fault] = checkRoot(root)
  if (fault !== undefined) throw badCassette(name, fault)
  const stored = root as StoredCassette
  return {
    version: 1,
    model: stored.model,
    ...(stored.contextWindow !== undefined && { contextWindow: stored.contextWindow }),
    exchanges: stored.exchanges.map((exchange) => expand(exchange, stored)),
  }
}

function expand({ request, message, reason, usage }: StoredExchange, stored: StoredCassette): Exchange {
  const { messages, tools, ...settings } = request
  return {
    request: {
      messages: messages.map((reference) => stored.messages[reference] as Message),
      ...(tools !== undefined && { tools: stored.tools[tools] as readonly ToolSpec[] }),
      ...settings,
    },
    message: stored.messages[message] as Exchange['message'],
    reason,
    usage,
  }
}

interface Fault {
  readonly place: string
  readonly fault: string
}
type Fields = { readonly [key: string]: unknown }
type Faults = Generator<Fault, void, void>

function* checkRoot(root: unknown): Faults {
  if (!isObject(root)) return yield at('the file', 'is no object')
  if (root.version !== 1)
    yield at('version', `is ${JSON.stringify(root.version)}; this release reads version 1`)
  if (typeof root.model !== 'string') yield at('model', 'is no text')
  const { contextWindow } = root
  if (contextWindow !== undefined && !(isCount(contextWindow) && contextWindow > 0))
    yield at('contextWindow', 'is no number of tokens')
  const { messages, tools, exchanges } = root
  if (!isObject(messages)) return yield at('messages', 'is no object')
  if (!isObject(tools)) return yield at('tools', 'is no object')
  if (!Array.isArray(exchanges)) return yield at('exchanges', 'is no list')
  for (const [reference, message] of Object.entries(messages))
    yield* checkMessage(message, `messages.${reference}`)
  for (const [reference, list] of Object.entries(tools)) yield* checkTools(list, `tools.${reference}`)
  for (const [index, exchange] of exchanges.entries()) {
    yield* checkExchange(exchange, `exchanges[${index}]`, { messages, tools })
  }
}

function* checkExchange(
  exchange: unknown,
  place: string,
  tables: { messages: Fields; tools: Fields },
): Faults {
  if (!isObject(exchange)) return yield at(place, 'is no object')
  const { request, message, reason, usage } = exchange
  const answer =
    typeof message === 'string' && Object.hasOwn(tables.messages, message) && tables.messages[message]
  if (!isObject(answer) || answer.role !== 'assistant') {
    yield at(`${place}.message`, `is ${JSON.stringify(message)}, which is no assistant message of "messages"`)
  }
  if (!['stop', 'tool-calls', 'length'].includes(String(reason))) {
    yield at(`${place}.reason`, `is ${JSON.stringify(reason)}`)
  }
  yield* checkUsage(usage, `${place}.usage`)
  if (!isObject(request)) return yield at(`${place}.request`, 'is no object')
  if (!Array.isArray(request.messages)) return yield at(`${place}.request.messages`, 'is no list')
  for (const [index, reference] of request.messages.entries()) {
    if (Object.hasOwn(tables.messages, String(reference))) continue
    yield at(
      `${place}.request.messages[${index}]`,
      `is ${JSON.stringify(reference)}, which is not in "messages"`,
    )
  }
  if (request.tools !== undefined && !Object.hasOwn(tables.tools, String(request.tools))) {
    yield at(`${place}.request.tools`, `is ${JSON.stringify(request.tools)}, which is not in "tools"`)
  }
}

function* checkUsage(usage: unknown, place: string): Faults {
  if (!isObject(usage)) return yield at(place, 'is no object')
  for (const name of ['inputTokens', 'cachedInputTokens', 'outputTokens', 'loadMs', 'promptMs', 'outputMs']) {
    if (usage[name] !== undefined && !isCount(usage[name]))
      yield at(`${place}.${name}`, 'is no number from 0')
  }
}

function* checkMessage(message: unknown, place: string): Faults {
  if (!isObject(message)) return yield at(place, 'is no object')
  if (!['system', 'user', 'assistant', 'tool'].includes(String(message.role))) {
    yield at(`${place}.role`, `is ${JSON.stringify(message.role)}`)
  }
  if (typeof message.text !== 'string') yield at(`${place}.text`, 'is no text')
  if (message.reasoning !== undefined && typeof message.reasoning !== 'string')
    yield at(`${place}.reasoning`, 'is no text')
  if (message.role === 'tool' && typeof message.toolCallId !== 'string')
    yield at(`${place}.toolCallId`, 'is no text')
  if (message.role === 'tool' && typeof message.toolName !== 'string')
    yield at(`${place}.toolName`, 'is no text')
  if (message.toolCalls === undefined) return
  if (!Array.isArray(message.toolCalls)) return yield at(`${place}.toolCalls`, 'is no list')
  for (const [index, call] of message.toolCalls.entries()) {
    if (isObject(call) && typeof call.id === 'string' && typeof call.name === 'string') continue
    yield at(`${place}.toolCalls[${index}]`, 'has no id and name')
  }
}

function* checkTools(list: unknown, place: string): Faults {
  if (!Array.isArray(list)) return yield at(place, 'is no list')
  for (const [index, tool] of list.entries()) {
    if (isObject(tool) && typeof tool.name === 'string' && isObject(tool.inputSchema)) {
      if (typeof tool.description !== 'string') yield at(`${place}[${index}].description`, 'is no text')
    } else yield at(`${place}[${index}]`, 'has no name and inputSchema')
  }
}

function at(place: string, fault: string): Fault {
  return { place, fault }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function lineOf(error: unknown, text: string): string {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
  const before = position === undefined ? text : text.slice(0, Number(position))
  return `line ${before.split('\n').length}`
}

function badCassette(name: string, { place, fault }: Fault, cause?: unknown): ChatModelError {
  return new ChatModelError(
    {
      code: 'chat/bad-cassette',
      what: `The cassette was not read from ${name}: ${place} ${fault}.`,
      why: 'A cassette is a file that record() and serializeCassette() wrote.',
      instead: 'Restore the file, or record the run again.',
      details: { place },
    },
    { cause },
  )
}
