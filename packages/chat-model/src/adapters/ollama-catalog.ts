import type { Ollama } from 'ollama'
import { ChatModelError } from '../errors.js'
import { isJson } from '../is-json.js'
import type { TransportLimits } from './http-errors.js'
import { openResponse } from './http-transport.js'
import { normalizeOllamaHost } from './ollama-host.js'
import {
  catalogLimits,
  notOllama,
  type OllamaConnection,
  ollamaName,
  readOllamaJson,
  redirected,
  refusalOf,
} from './ollama-server.js'
import { type OllamaModelDetails, readModelList, readShowResponse } from './ollama-show.js'

export interface OllamaServerOptions {
  /** As for `ollama()`; default `OLLAMA_HOST`, else 127.0.0.1:11434. */
  readonly host?: string
  readonly signal?: AbortSignal
  /** Without any, the whole answer has to be there after 30 s. */
  readonly limits?: Partial<TransportLimits>
}

export interface OllamaModelListing {
  /** With its tag: `qwen2.5-coder:1.5b`. */
  readonly name: string
  readonly sizeBytes: number
  /** ISO 8601; absent where the server does not say. */
  readonly modifiedAt?: string
}

/**
 * The models that were pulled. Needs the npm package `ollama` (`chat/peer-missing`). Throws `chat/unreachable`,
 * `chat/timeout`, and `chat/server-error` for a server that does not answer as Ollama does.
 */
export async function listOllamaModels(
  options: OllamaServerOptions = {},
): Promise<readonly OllamaModelListing[]> {
  const client = await createClient(options, '')
  const models = readModelList(await client.list())
  if (models === undefined)
    throw notOllama(normalizeOllamaHost(options.host), '/api/tags', {
      why: 'Its answer has no list of models.',
    })
  return models
}

/**
 * What a model can do and how long its window can be. Needs the npm package `ollama` (`chat/peer-missing`).
 * Throws `chat/model-missing`, which names the models that are there, `chat/unreachable`, `chat/timeout` and
 * `chat/server-error`.
 */
export async function showOllamaModel(
  options: OllamaServerOptions & { readonly model: string },
): Promise<OllamaModelDetails> {
  const client = await createClient(options, options.model)
  return readShowResponse(await client.show({ model: options.model }))
}

/**
 * The version of the server, or undefined when none answers within `timeoutMs` (default 1,000) or something else
 * listens there. Needs no other package. Throws only the reason of an abort, and `chat/bad-option` for a bad host.
 */
export async function isOllamaReachable(
  options: { readonly host?: string; readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
): Promise<string | undefined> {
  const { timeoutMs = 1_000, ...at } = options
  normalizeOllamaHost(options.host) // throws for a bad host, which is no matter of reach
  try {
    return await readOllamaVersion({ ...at, limits: { totalTimeoutMs: timeoutMs } })
  } catch (error) {
    if (ChatModelError.isInstance(error)) return undefined
    throw error
  }
}

/**
 * The version of the server. Needs no other package. Throws `chat/unreachable`, `chat/timeout`, and
 * `chat/server-error` for a server that does not answer as Ollama does.
 */
export async function readOllamaVersion(options: OllamaServerOptions = {}): Promise<string> {
  const host = normalizeOllamaHost(options.host)
  const path = '/api/version'
  const answer = await readOllamaJson(path, connectionTo(host, options), (status) =>
    notOllama(host, path, { status }),
  )
  const version = (answer as { version?: unknown } | null)?.version
  if (typeof version !== 'string') throw notOllama(host, path)
  return version
}

function connectionTo(host: URL, options: OllamaServerOptions): OllamaConnection {
  return {
    host,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    limits: { ...catalogLimits, ...options.limits },
  }
}

/** Loads npm `ollama` on first use: the chat itself does not need it. */
async function createClient(options: OllamaServerOptions, model: string): Promise<Ollama> {
  const host = normalizeOllamaHost(options.host)
  const module = await loadOllamaPackage(() => import('ollama'))
  return new module.Ollama({
    host: host.href.replace(/\/$/, ''),
    fetch: fetchOverTransport(host, model, options),
  })
}

export async function loadOllamaPackage<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new ChatModelError(
      {
        code: 'chat/peer-missing',
        what: `The package ollama was not loaded: ${cause instanceof Error ? cause.message : String(cause)}.`,
        why: 'It is an optional peer of @icm/chat-model; only listing and showing models needs it.',
        instead: 'Run `npm install ollama`.',
      },
      { cause },
    )
  }
}

/**
 * Our transport in the shape of fetch, because the client's own has no signal, no limits of ours, hides the cause of
 * a failure, and prints to stdout on an error without JSON – fatal inside a server that speaks over stdout (F03).
 */
function fetchOverTransport(host: URL, model: string, options: OllamaServerOptions): typeof fetch {
  return async (input, init) => {
    const response = await openResponse({
      url: new URL(String(input)),
      method: init?.method === 'POST' ? 'POST' : 'GET',
      server: ollamaName,
      ...connectionTo(host, options),
      ...(typeof init?.body === 'string' ? { body: init.body } : {}),
    })
    try {
      const text = await response.text()
      const path = new URL(String(input)).pathname
      const { status } = response
      if (status !== 200) {
        const call = { host, model, contextWindow: 0 }
        throw (
          redirected(response, host, path) ??
          (model === ''
            ? notOllama(host, path, { status })
            : await refusalOf(status, text, call, options.signal))
        )
      }
      if (!isJson(text)) throw notOllama(host, path)
      return new Response(text, { headers: { 'content-type': 'application/json' } })
    } finally {
      response.close()
    }
  }
}
