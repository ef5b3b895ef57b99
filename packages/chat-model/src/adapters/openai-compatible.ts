import type { JsonObject } from '@icm/errors'
import type { ChatModel, ChatRequest } from '../types.js'
import type { TransportLimits } from './http-errors.js'
import { createLineReader } from './line-reader.js'
import { readOpenAiAnswer } from './openai-answer.js'
import { authorized } from './openai-catalog.js'
import { offeredTools, openAiTail, toOpenAiMessage, toOpenAiTool } from './openai-messages.js'
import {
  callOpenAi,
  endpoint,
  type OpenAiConnection,
  openAiName,
  openAiRefusal,
  readBaseUrl,
} from './openai-server.js'
import { findContextWindow } from './openai-window.js'
import { createBodyWriter } from './request-body.js'
import { type OpenAnswer, streamEvents } from './stream-events.js'

export type { TransportLimits } from './http-errors.js'
export {
  listOpenaiModels,
  type OpenaiModelListing,
  type OpenaiServerOptions,
  readOpenaiWindow,
} from './openai-catalog.js'

export interface OpenaiCompatibleOptions {
  /** With its `/v1`: `http://127.0.0.1:8080/v1` (llama-server), `…:8000/v1` (vLLM), `…:11434/v1` (Ollama). */
  readonly baseUrl: string
  readonly model: string
  /** Sent as `Authorization: Bearer …`, never shown. Local servers need none. */
  readonly apiKey?: string
  readonly headers?: { readonly [name: string]: string }
  /**
   * Tokens that prompt and answer share, where the server does not tell; at most what it tells. The server decides
   * about it when it starts: this option does not change it.
   */
  readonly contextWindow?: number
  /** Sent as `reasoning_effort`. Default: not sent, the server decides. `'none'` turns thinking off where that can be. */
  readonly reasoningEffort?: 'none' | 'low' | 'medium' | 'high'
  /** Keys of the request that only some servers know, such as `{ chat_template_kwargs: { enable_thinking: false } }`. */
  readonly extraBody?: JsonObject
  readonly limits?: Partial<TransportLimits>
}

/**
 * A model on a server that speaks OpenAI's `/v1/chat/completions`: llama-server, vLLM, Ollama and others.
 *
 * The first call asks the server once for the window. Tools and `outputSchema` in one request: the tools win, the
 * schema is not sent (field report B14). A `toolChoice` that asks for a call is kept by vLLM and by llama-server (there
 * a named tool counts as `'auto'`); Ollama does not know it. Throws `chat/bad-option` at once for a bad `baseUrl`.
 */
export function openaiCompatible(options: OpenaiCompatibleOptions): ChatModel {
  const { model, apiKey, limits } = options
  const baseUrl = readBaseUrl(options.baseUrl)
  const url = endpoint(baseUrl, '/chat/completions')
  const headers = authorized(options.headers, apiKey)
  const write = createBodyWriter({ model, message: toOpenAiMessage, tool: toOpenAiTool })
  const extra = { reasoning_effort: options.reasoningEffort, ...options.extraBody }
  let told: { readonly window: number | undefined } | undefined

  function contextWindow(): number | undefined {
    const least = Math.min(
      options.contextWindow ?? Number.POSITIVE_INFINITY,
      told?.window ?? Number.POSITIVE_INFINITY,
    )
    return Number.isFinite(least) ? least : undefined
  }

  async function open(request: ChatRequest): Promise<OpenAnswer> {
    request.signal?.throwIfAborted()
    const connection: OpenAiConnection = { baseUrl, headers, signal: request.signal, limits }
    told ??= { window: await findContextWindow(model, connection) }
    const call = { url, model, contextWindow: contextWindow() }
    const body = write(request.messages, offeredTools(request), openAiTail(request, extra))
    const size = body.bytes.length
    try {
      const response = await callOpenAi(url, connection, body.bytes)
      if (response.status === 200) {
        return {
          response,
          lines: createLineReader(openAiName.name),
          answer: readOpenAiAnswer(request, call, size),
        }
      }
      try {
        throw await openAiRefusal(response, call, connection)
      } finally {
        response.close()
      }
    } finally {
      body.free()
    }
  }

  return {
    id: `openai-compatible/${model}`,
    get contextWindow() {
      return contextWindow()
    },
    stream: (request) => streamEvents(() => open(request), request.signal),
  }
}
