import { parseArguments } from '../parse-arguments.js'
import type { AssistantMessage, Message, ToolCall, ToolSpec } from '../types.js'

/** What the adapter decided about one request; keys that are undefined are not sent. */
export interface OllamaBodyOptions {
  readonly model: string
  readonly tools: readonly ToolSpec[]
  readonly messages: readonly Message[]
  readonly format?: object
  readonly think?: boolean | string
  readonly keepAlive: string | number
  readonly options: { readonly [name: string]: number | undefined }
}

/**
 * Writes the body of `/api/chat`.
 *
 * The order is part of the contract: what stays the same within a run (model, tools) comes before the messages, what
 * may change (format, sampling) after them, and each message's text depends on that message alone. So the
 * body of a turn, up to the end of its messages, is an exact prefix of the next turn's, and the server's
 * prefix cache keeps working (field report A14). `truncate` and `shift` are always false: a prompt that does not fit
 * is refused instead of silently cut (A01).
 */
export function writeOllamaBody(body: OllamaBodyOptions): string {
  const head = [`"model":${JSON.stringify(body.model)}`]
  if (body.tools.length > 0) head.push(`"tools":${JSON.stringify(body.tools.map(toOllamaTool))}`)
  const messages = body.messages.map((message) => JSON.stringify(toOllamaMessage(message))).join(',')
  const tail = JSON.stringify({
    stream: true,
    truncate: false,
    shift: false,
    keep_alive: body.keepAlive,
    think: body.think,
    format: body.format,
    options: body.options,
  })
  return `{${head.join(',')},"messages":[${messages}],${tail.slice(1)}`
}

/** One of our messages in Ollama's shape. Ids go along, so that templates which use them can pair call and result. */
export function toOllamaMessage(message: Message): object {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text }
    case 'user': {
      const images = message.images ?? []
      const content = { role: 'user', content: message.text }
      return images.length === 0 ? content : { ...content, images: images.map((image) => image.base64) }
    }
    case 'assistant':
      return toOllamaAssistant(message)
    case 'tool':
      return {
        role: 'tool',
        content: message.text,
        tool_name: message.toolName,
        tool_call_id: message.toolCallId,
      }
  }
}

/** The thinking is replayed whole: a call without the thoughts that led to it confuses a model (field report B09). */
function toOllamaAssistant(message: AssistantMessage): object {
  const calls = message.toolCalls ?? []
  return {
    role: 'assistant',
    content: message.text,
    ...(message.reasoning ? { thinking: message.reasoning } : {}),
    ...(calls.length > 0 ? { tool_calls: calls.map(toOllamaCall) } : {}),
  }
}

function toOllamaCall(call: ToolCall): object {
  return { id: call.id, function: { name: call.name, arguments: toArgumentsObject(call.arguments) } }
}

export function toOllamaTool(tool: ToolSpec): object {
  return {
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
  }
}

/** A string in the history makes Ollama answer 400 (field report B02), so what is no object is wrapped. */
function toArgumentsObject(value: unknown): object {
  const parsed = parseArguments(value)
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed
  return { input: parsed }
}

/** One line of a streamed answer, reduced to what we use. */
export interface OllamaChunk {
  readonly error?: string
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]
  readonly done: boolean
  readonly doneReason?: string
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly loadMs?: number
  readonly promptMs?: number
  readonly outputMs?: number
}

/** Reads one parsed line; fields of a wrong type count as absent. */
export function readOllamaChunk(line: unknown): OllamaChunk {
  const chunk = asObject(line)
  const message = asObject(chunk.message)
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : []
  return {
    ...(typeof chunk.error === 'string' ? { error: chunk.error } : {}),
    text: typeof message.content === 'string' ? message.content : '',
    reasoning: typeof message.thinking === 'string' ? message.thinking : '',
    calls: calls.map((call) => {
      const named = asObject(asObject(call).function)
      return { name: String(named.name ?? ''), arguments: parseArguments(named.arguments) }
    }),
    done: chunk.done === true,
    ...(typeof chunk.done_reason === 'string' ? { doneReason: chunk.done_reason } : {}),
    ...optional('inputTokens', chunk.prompt_eval_count, 1),
    ...optional('outputTokens', chunk.eval_count, 1),
    ...optional('loadMs', chunk.load_duration, nanosecondsPerMillisecond),
    ...optional('promptMs', chunk.prompt_eval_duration, nanosecondsPerMillisecond),
    ...optional('outputMs', chunk.eval_duration, nanosecondsPerMillisecond),
  }
}

const nanosecondsPerMillisecond = 1e6

function optional(name: string, value: unknown, divisor: number): { [name: string]: number } {
  return typeof value === 'number' ? { [name]: value / divisor } : {}
}

function asObject(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as { [key: string]: unknown }) : {}
}
