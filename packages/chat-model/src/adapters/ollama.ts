import { ChatModelError } from '../errors.js'
import { estimateTokens } from '../estimate-tokens.js'
import type { ChatModel, ChatRequest, ToolSpec } from '../types.js'
import { toFormatSchema } from './format-schema.js'
import type { TransportLimits } from './http-errors.js'
import { normalizeKeepAlive } from './keep-alive.js'
import { createLineReader } from './line-reader.js'
import { readOllamaAnswer } from './ollama-answer.js'
import { classifyOllamaError, type OllamaCall } from './ollama-errors.js'
import { normalizeOllamaHost, ollamaEndpoint } from './ollama-host.js'
import { type OllamaTail, ollamaTail, toOllamaMessage, toOllamaTool } from './ollama-messages.js'
import { catalogLimits, ollamaName, readOllamaJson, refusalOf } from './ollama-server.js'
import { type OllamaModelDetails, readShowResponse } from './ollama-show.js'
import { openWhenReady } from './open-when-ready.js'
import { createBodyWriter } from './request-body.js'
import { type OpenAnswer, streamEvents } from './stream-events.js'

export type { TransportLimits } from './http-errors.js'
export {
  isOllamaReachable,
  listOllamaModels,
  type OllamaModelListing,
  type OllamaServerOptions,
  readOllamaVersion,
  showOllamaModel,
} from './ollama-catalog.js'
export { normalizeOllamaHost } from './ollama-host.js'
export { renderOllamaPrompt } from './ollama-prompt.js'
export { isSameOllamaModel, type OllamaModelDetails } from './ollama-show.js'

export interface OllamaOptions {
  readonly model: string
  /** Any form that `normalizeOllamaHost` takes; default `OLLAMA_HOST`, else 127.0.0.1:11434. */
  readonly host?: string
  /** Seconds or a duration with units; default `'30m'`, so that the model is still loaded after a human gate. */
  readonly keepAlive?: string | number
  /** Sent only to models that can think; default false. Models with levels only take true as `'medium'`, false as `'low'`. */
  readonly think?: boolean | 'low' | 'medium' | 'high'
  /** Tokens that prompt and answer share; default 8192, at most what the model was made for. */
  readonly contextWindow?: number
  readonly limits?: Partial<TransportLimits>
  /** Told, in words for a person, when a smaller window had to be taken. */
  readonly onWarning?: (text: string) => void
}

/**
 * A model on an Ollama server.
 *
 * The first call asks the server once for the model's capabilities. `num_ctx` is the same in every request, because
 * another value reloads the model (field report A04). Tools and `outputSchema` in one request: the tools win, the
 * schema is not sent (B14). A `toolChoice` that asks for a call is a wish that Ollama does not know; it counts as `'auto'`.
 * When the first answer fails because the machine has no memory for the window, a quarter of it is tried once, if the
 * prompt fits into that, and kept (A05). Throws `chat/bad-option` at once for a bad host or `keepAlive`.
 */
export function ollama(options: OllamaOptions): ChatModel {
  const host = normalizeOllamaHost(options.host)
  const url = ollamaEndpoint(host, '/api/chat')
  const keepAlive = normalizeKeepAlive(options.keepAlive ?? '30m')
  const wantedWindow = options.contextWindow ?? 8192
  let details: OllamaModelDetails | undefined
  let smallerWindow: number | undefined
  let hasAnswered = false
  const contextWindow = () => smallerWindow ?? Math.min(wantedWindow, details?.contextLength ?? wantedWindow)

  const write = createBodyWriter({
    model: options.model,
    message: toOllamaMessage,
    tool: toOllamaTool,
  })

  async function open(request: ChatRequest): Promise<OpenAnswer> {
    try {
      const answer = await openOnce(request)
      hasAnswered = true
      return answer
    } catch (error) {
      const mayShrink = !hasAnswered && smallerWindow === undefined
      const smaller = mayShrink ? windowAfter(error, request, contextWindow()) : undefined
      if (smaller === undefined) throw error
      options.onWarning?.(
        `Ollama has no memory for ${options.model} with a window of ${contextWindow()} tokens; ${smaller} are used.`,
      )
      smallerWindow = smaller
      return openOnce(request)
    }
  }

  async function openOnce(request: ChatRequest): Promise<OpenAnswer> {
    const { signal } = request
    signal?.throwIfAborted()
    const { limits } = options
    const call = (): OllamaCall => ({ host, model: options.model, contextWindow: contextWindow() })
    const refusal = (status: number, text: string) => refusalOf(status, text, call(), signal)
    if (details === undefined) {
      const catalog = { host, signal, limits: { ...catalogLimits, ...limits } }
      const wanted = JSON.stringify({ model: options.model })
      details = readShowResponse(await readOllamaJson('/api/show', catalog, refusal, wanted))
    }
    const tools = toolsOf(request, details, call())
    const think = thinkValue(options.think ?? false, details)
    const tail = tailOf(request, { keepAlive, think, hasTools: tools.length > 0 }, contextWindow())
    const body = write(request.messages, tools, tail)
    const size = body.bytes.length
    try {
      const { bytes } = body
      const response = await openWhenReady({
        url,
        method: 'POST',
        body: bytes,
        signal,
        limits,
        server: ollamaName,
      })
      if (response.status === 200)
        return {
          response,
          lines: createLineReader(ollamaName.name),
          answer: readOllamaAnswer(request, call(), size),
        }
      try {
        throw await refusal(response.status, await response.text())
      } finally {
        response.close()
      }
    } finally {
      body.free()
    }
  }

  return {
    id: `ollama/${options.model}`,
    get contextWindow() {
      return contextWindow()
    },
    stream: (request) => streamEvents(() => open(request), request.signal),
  }
}

/** The window to try after a failure for want of memory; undefined for other failures, and where the prompt would not fit. */
function windowAfter(error: unknown, request: ChatRequest, contextWindow: number): number | undefined {
  if (!ChatModelError.isInstance(error) || error.code !== 'chat/out-of-memory') return undefined
  const smaller = Math.max(smallestWindow, Math.floor(contextWindow / 4))
  const needed = estimateTokens(request.messages, request.tools) + (request.maxOutputTokens ?? answerTokens)
  return smaller < contextWindow && needed <= smaller ? smaller : undefined
}

const smallestWindow = 4096
/** Room for an answer of which nobody said how long it may be. */
const answerTokens = 512

function toolsOf(request: ChatRequest, details: OllamaModelDetails, call: OllamaCall): readonly ToolSpec[] {
  const tools = request.toolChoice === 'none' ? [] : (request.tools ?? [])
  const known = details.capabilities.length > 0
  if (tools.length > 0 && known && !details.capabilities.includes('tools')) {
    throw classifyOllamaError(`"${call.model}" does not support tools`, 400, call)
  }
  return tools
}

function tailOf(
  request: ChatRequest,
  { keepAlive, think, hasTools }: Pick<OllamaTail, 'keepAlive' | 'think'> & { readonly hasTools: boolean },
  contextWindow: number,
): object {
  return ollamaTail({
    keepAlive,
    think,
    format: hasTools || request.outputSchema === undefined ? undefined : toFormatSchema(request.outputSchema),
    options: {
      num_ctx: contextWindow,
      num_predict: request.maxOutputTokens,
      temperature: request.temperature,
      seed: request.seed,
    },
  })
}

// Sent only to models that can think. gpt-oss knows levels only and cannot be turned off; the others refuse levels
// (field report B11).
function thinkValue(
  think: boolean | string,
  { capabilities, family }: OllamaModelDetails,
): boolean | string | undefined {
  if (!capabilities.includes('thinking')) return undefined
  const levelsOnly = /^gpt-?oss/i.test(family ?? '')
  if (!levelsOnly) return think !== false
  return typeof think === 'string' ? think : think ? 'medium' : 'low'
}
