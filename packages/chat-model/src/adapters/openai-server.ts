import { ChatModelError } from '../errors.js'
import type { ServerName, TransportLimits } from './http-errors.js'
import type { TransportRequest, TransportResponse } from './http-transport.js'
import { openWhenReady } from './open-when-ready.js'
import {
  classifyOpenAiError,
  missingOpenAiModel,
  notOpenAi,
  type OpenAiCall,
  openAiErrorText,
} from './openai-errors.js'

/** How to reach one server. */
export interface OpenAiConnection {
  /** Ends without a slash, with `/v1` where the server has it. */
  readonly baseUrl: URL
  readonly headers: { readonly [name: string]: string }
  readonly signal?: AbortSignal | undefined
  readonly limits?: Partial<TransportLimits> | undefined
}

export const openAiName: ServerName = {
  name: 'The OpenAI-compatible server',
  startHint: 'Start the server (ollama serve, llama-server, vllm serve), or correct the option baseUrl.',
}

/** Reads the base URL; `chat/bad-option` when it is none. Wildcard addresses become 127.0.0.1 (field report A10). */
export function readBaseUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new ChatModelError({
      code: 'chat/bad-option',
      what: `The option baseUrl has the value ${JSON.stringify(baseUrl)}.`,
      why: 'It is a whole address with http:// or https://, to which /chat/completions is added.',
      instead: 'Write it like http://127.0.0.1:8080/v1.',
    })
  }
  if (['localhost', '0.0.0.0', '[::]'].includes(url.hostname)) url.hostname = '127.0.0.1'
  url.pathname = url.pathname.replace(/\/+$/, '')
  url.search = ''
  url.hash = ''
  return url
}

/** One endpoint below the base URL, or – for a server's own ones – beside its `/v1`. */
export function endpoint(baseUrl: URL, path: string, beside = false): URL {
  const url = new URL(baseUrl)
  const base = beside ? baseUrl.pathname.replace(/\/v\d+$/, '') : baseUrl.pathname
  url.pathname = `${base.replace(/\/+$/, '')}${path}`
  return url
}

/** Opens one endpoint: GET without a body, else POST. The caller closes the response. */
export function callOpenAi(
  url: URL,
  connection: OpenAiConnection,
  body?: TransportRequest['body'],
): Promise<TransportResponse> {
  return openWhenReady({
    url,
    method: body === undefined ? 'GET' : 'POST',
    server: openAiName,
    headers: connection.headers,
    ...(body === undefined ? {} : { body }),
    ...(connection.signal === undefined ? {} : { signal: connection.signal }),
    ...(connection.limits === undefined ? {} : { limits: connection.limits }),
  })
}

/** The JSON of an endpoint that a server may or may not have; undefined for anything but 200 with JSON. */
export async function askOpenAi(url: URL, connection: OpenAiConnection, body?: string): Promise<unknown> {
  const response = await callOpenAi(url, connection, body)
  try {
    const text = await response.text()
    return response.status === 200 ? (JSON.parse(text) as unknown) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  } finally {
    response.close()
  }
}

/** Makes the error for a refused call; a missing model costs one more call, to name those that are there. */
export async function openAiRefusal(
  response: TransportResponse,
  call: OpenAiCall,
  connection: OpenAiConnection,
): Promise<ChatModelError> {
  const { status, location } = response
  const body = await response.text()
  const text = hideKey(openAiErrorText(parsed(body)), connection)
  if (text !== undefined && /model/i.test(text) && /not found|does not exist|not exist/i.test(text)) {
    return missingOpenAiModel(call, await modelIds(connection))
  }
  if (text === undefined && (status === 404 || status === 405 || status < 400))
    return notOpenAi(call.url, { status, location })
  return classifyOpenAiError(text ?? (body.trim().slice(0, 300) || '(no text)'), status, call)
}

/** Some servers repeat the key they refuse. */
function hideKey(text: string | undefined, connection: OpenAiConnection): string | undefined {
  const key = connection.headers.authorization?.replace(/^Bearer /, '')
  return key === undefined || key === '' ? text : text?.replaceAll(key, '(the key)')
}

async function modelIds(connection: OpenAiConnection): Promise<readonly string[] | undefined> {
  const limits = { totalTimeoutMs: 5_000 }
  try {
    const answer = await askOpenAi(endpoint(connection.baseUrl, '/models'), { ...connection, limits })
    return listedModels(answer).map(({ id }) => id)
  } catch (error) {
    if (ChatModelError.isInstance(error)) return undefined // the first error matters more than this list
    throw error
  }
}

/** One entry of `/v1/models`. */
export interface ListedModel {
  readonly id: string
  readonly [key: string]: unknown
}

/** The entries of an answer of `/v1/models`; none when it is something else. */
export function listedModels(answer: unknown): readonly ListedModel[] {
  const data = (answer as { data?: unknown } | null | undefined)?.data
  return Array.isArray(data) ? data.filter((entry) => typeof entry?.id === 'string') : []
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return undefined
  }
}
