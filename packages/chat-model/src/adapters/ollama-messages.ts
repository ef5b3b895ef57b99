import { parseArguments } from '../parse-arguments.js'
import type { AssistantMessage, Message, ToolCall, ToolSpec, Usage } from '../types.js'
import { toArgumentsObject } from './call-arguments.js'
import { toModelSchema } from './model-schema.js'
import { withoutTemplateTokens } from './template-tokens.js'

/** What may change from call to call; keys that are undefined are not sent. */
export interface OllamaTail {
  readonly format?: object | undefined
  readonly think?: boolean | string | undefined
  readonly keepAlive: string | number
  readonly options: { readonly [name: string]: number | undefined }
}

/**
 * What follows the messages in the body of `/api/chat`. `truncate` and `shift` are always false: a prompt that does
 * not fit is refused instead of silently cut (field report A01).
 */
export function ollamaTail(tail: OllamaTail): object {
  return {
    stream: true,
    truncate: false,
    shift: false,
    keep_alive: tail.keepAlive,
    think: tail.think,
    format: tail.format,
    options: tail.options,
  }
}

/** One of our messages in Ollama's shape. Ids go along, so that templates which use them can pair call and result. */
export function toOllamaMessage(message: Message): object {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: withoutTemplateTokens(message.text) }
    case 'user': {
      const images = message.images ?? []
      const content = { role: 'user', content: withoutTemplateTokens(message.text) }
      return images.length === 0 ? content : { ...content, images: images.map((image) => image.base64) }
    }
    case 'assistant':
      return toOllamaAssistant(message)
    case 'tool':
      return {
        role: 'tool',
        content: withoutTemplateTokens(message.text),
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
    function: { name: tool.name, description: tool.description, parameters: toModelSchema(tool.inputSchema) },
  }
}

/** One line of a streamed answer, reduced to what we use. */
export interface OllamaChunk {
  readonly error: string | undefined
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]
  readonly done: boolean
  readonly doneReason: string | undefined
  /** Of the last line. */
  readonly usage: Usage | undefined
}

/** Reads one parsed line; fields of a wrong type count as absent. */
export function readOllamaChunk(line: unknown): OllamaChunk {
  const chunk = asObject(line)
  const message = asObject(chunk.message)
  const done = chunk.done === true
  return {
    error: typeof chunk.error === 'string' ? chunk.error : undefined,
    text: typeof message.content === 'string' ? message.content : '',
    reasoning: typeof message.thinking === 'string' ? message.thinking : '',
    calls: Array.isArray(message.tool_calls) ? message.tool_calls.map(readCall) : noCalls,
    done,
    doneReason: typeof chunk.done_reason === 'string' ? chunk.done_reason : undefined,
    usage: done ? readUsage(chunk) : undefined,
  }
}

function readUsage(chunk: { readonly [key: string]: unknown }): Usage {
  const usage: { -readonly [key in keyof Usage]: Usage[key] } = {}
  if (typeof chunk.prompt_eval_count === 'number') usage.inputTokens = chunk.prompt_eval_count
  if (typeof chunk.eval_count === 'number') usage.outputTokens = chunk.eval_count
  if (typeof chunk.load_duration === 'number') usage.loadMs = chunk.load_duration / nanosecondsPerMillisecond
  if (typeof chunk.prompt_eval_duration === 'number')
    usage.promptMs = chunk.prompt_eval_duration / nanosecondsPerMillisecond
  if (typeof chunk.eval_duration === 'number')
    usage.outputMs = chunk.eval_duration / nanosecondsPerMillisecond
  return usage
}

const noCalls: OllamaChunk['calls'] = []

function readCall(call: unknown): { readonly name: string; readonly arguments: unknown } {
  const named = asObject(asObject(call).function)
  return { name: String(named.name ?? ''), arguments: parseArguments(named.arguments) }
}

const nanosecondsPerMillisecond = 1e6

function asObject(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as { [key: string]: unknown }) : {}
}
