import type { Message, ToolSpec } from '../types.js'
import type { OllamaServerOptions } from './ollama-catalog.js'
import { normalizeOllamaHost } from './ollama-host.js'
import { toOllamaMessage, toOllamaTool } from './ollama-messages.js'
import { callOllama, refusalOf } from './ollama-server.js'

/**
 * The prompt that the server makes of messages and tools, without running the model; undefined from a server that
 * does not know `_debug_render_only` (that one writes a single token instead). Look at it before believing any
 * figure: chat templates differ, and some print a tool's schema as something else than JSON.
 */
export async function renderOllamaPrompt(
  options: OllamaServerOptions & {
    readonly model: string
    readonly messages: readonly Message[]
    readonly tools?: readonly ToolSpec[]
    /** The one that the runs use (default 8192, as in `ollama()`): another value reloads the model, even for this. */
    readonly contextWindow?: number
  },
): Promise<string | undefined> {
  const host = normalizeOllamaHost(options.host)
  const { model, messages, tools = [], contextWindow = 8192, signal, limits } = options
  const body = JSON.stringify({
    model,
    ...(tools.length === 0 ? {} : { tools: tools.map(toOllamaTool) }),
    messages: messages.map(toOllamaMessage),
    stream: false,
    _debug_render_only: true,
    options: { num_ctx: contextWindow, num_predict: 1 },
  })
  const connection = { host, ...(signal ? { signal } : {}), ...(limits ? { limits } : {}) }
  const response = await callOllama('/api/chat', connection, body)
  try {
    const text = await response.text()
    if (response.status !== 200)
      throw await refusalOf(response.status, text, { host, model, contextWindow }, signal)
    return promptOf(text.split('\n')[0] ?? '')
  } finally {
    response.close()
  }
}

function promptOf(line: string): string | undefined {
  try {
    const answer = JSON.parse(line) as { _debug_info?: { rendered_template?: unknown } } | null
    const prompt = answer?._debug_info?.rendered_template
    return typeof prompt === 'string' ? prompt : undefined
  } catch {
    return undefined
  }
}
