import type { JsonSchema } from '@icm/json-schema'

/** A tool as the model sees it. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
}

/** A call that the model asks for. The arguments are what it wrote: not validated, hence unknown. */
export interface ToolCall {
  /** Unique within a run; adapters mint one where the server gives none (Ollama does not). */
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

export interface ImagePart {
  readonly mimeType: string
  readonly base64: string
}

export interface AssistantMessage {
  readonly role: 'assistant'
  readonly text: string
  /** Thinking text, kept apart from the answer. */
  readonly reasoning?: string
  readonly toolCalls?: readonly ToolCall[]
}

export type Message =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string; readonly images?: readonly ImagePart[] }
  | AssistantMessage
  | {
      readonly role: 'tool'
      readonly toolCallId: string
      readonly toolName: string
      readonly text: string
      readonly isError?: boolean
    }

/**
 * Default `'auto'` when tools are given. `'none'` allows no call: the tools are not sent, or stay in the prompt only
 * because the engine has read them already. `'required'` asks for a call, a name for a call of that tool.
 */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export interface ChatRequest {
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolSpec[]
  readonly toolChoice?: ToolChoice
  /** Constrains the answer where the server can; never sent together with tools (field report B14). */
  readonly outputSchema?: JsonSchema
  readonly temperature?: number
  readonly maxOutputTokens?: number
  readonly seed?: number
  readonly signal?: AbortSignal
}

/** What one answer cost. Fields that a server does not report are absent. */
export interface Usage {
  /** Tokens of the whole prompt, whether evaluated now or found in the server's prefix cache. */
  readonly inputTokens?: number
  /** Those of them that were found in the prefix cache. Ollama does not tell; there only `promptMs` shows it. */
  readonly cachedInputTokens?: number
  readonly outputTokens?: number
  /** Milliseconds spent loading the model, reading the prompt and writing the answer. */
  readonly loadMs?: number
  readonly promptMs?: number
  readonly outputMs?: number
}

export type FinishReason = 'stop' | 'tool-calls' | 'length'

/** Plain JSON; a stream ends with exactly one `finish`, or throws. */
export type ChatEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  | {
      readonly type: 'finish'
      readonly reason: FinishReason
      readonly message: AssistantMessage
      readonly usage: Usage
    }

/**
 * The port: one model behind one method.
 *
 * `stream` sends nothing before the first `next()`. Leaving the loop early or aborting `request.signal` stops
 * the server's work. An abort rethrows `signal.reason` untouched; every other failure is a `ChatModelError`.
 */
export interface ChatModel {
  /** `'<adapter>/<model>'`, for journals and messages. */
  readonly id: string
  /** Tokens that prompt and answer share. */
  readonly contextWindow?: number
  stream(request: ChatRequest): AsyncIterable<ChatEvent>
}

/** A whole answer. */
export interface ChatResponse {
  readonly message: AssistantMessage
  readonly reason: FinishReason
  readonly usage: Usage
}
