import type { TransportLimits } from './http-errors.js'
import { notOpenAi } from './openai-errors.js'
import {
  callOpenAi,
  endpoint,
  listedModels,
  type OpenAiConnection,
  openAiRefusal,
  readBaseUrl,
} from './openai-server.js'
import { findContextWindow } from './openai-window.js'

/** How to reach a server, as in `openaiCompatible`. */
export interface OpenaiServerOptions {
  readonly baseUrl: string
  readonly apiKey?: string
  readonly headers?: { readonly [name: string]: string }
  readonly signal?: AbortSignal
  /** Default of `totalTimeoutMs`: 30 s, but for the load of a model. */
  readonly limits?: Partial<TransportLimits>
}

export interface OpenaiModelListing {
  readonly name: string
  /** The server has this one model and answers with it whatever the request names (llama-server). */
  readonly takesAnyName: boolean
}

const catalogLimits = { totalTimeoutMs: 30_000 }

/** The models of `/v1/models`. Throws `chat/bad-request` for a refused key and `chat/server-error` for another program. */
export async function listOpenaiModels(options: OpenaiServerOptions): Promise<readonly OpenaiModelListing[]> {
  const connection = connectionTo({ ...options, limits: { ...catalogLimits, ...options.limits } })
  const url = endpoint(connection.baseUrl, '/models')
  const response = await callOpenAi(url, connection)
  try {
    if (response.status !== 200) throw await openAiRefusal(response, { url, model: '' }, connection)
    return listedModels(parsed(await response.text(), url)).map(({ id, owned_by }) => {
      return { name: id, takesAnyName: owned_by === 'llamacpp' }
    })
  } finally {
    response.close()
  }
}

/**
 * Tokens that prompt and answer of a model may have together, where the server tells; else undefined. Ollama tells
 * it of loaded models only, so there the model is loaded.
 */
export async function readOpenaiWindow(
  options: OpenaiServerOptions & { readonly model: string },
): Promise<number | undefined> {
  return findContextWindow(options.model, connectionTo(options))
}

function connectionTo({ baseUrl, apiKey, headers, signal, limits }: OpenaiServerOptions): OpenAiConnection {
  return {
    baseUrl: readBaseUrl(baseUrl),
    headers: authorized(headers, apiKey),
    signal,
    limits,
  }
}

/** The headers of a call, with the key as a bearer token. */
export function authorized(
  headers: OpenaiServerOptions['headers'],
  apiKey: string | undefined,
): { readonly [name: string]: string } {
  return { ...headers, ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) }
}

function parsed(text: string, url: URL): unknown {
  try {
    const answer: unknown = JSON.parse(text)
    if (Array.isArray((answer as { data?: unknown } | null)?.data)) return answer
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
  }
  throw notOpenAi(url, {})
}
