import { ChatModelError } from '../errors.js'
import { hostOf, type ServerName, type TransportLimits } from './http-errors.js'
import { openResponse, type TransportResponse } from './http-transport.js'
import { classifyOllamaError, missingModelError, type OllamaCall } from './ollama-errors.js'
import { ollamaEndpoint } from './ollama-host.js'
import { readModelList } from './ollama-show.js'

/** How to reach one server. */
export interface OllamaConnection {
  readonly host: URL
  readonly signal?: AbortSignal
  readonly limits?: Partial<TransportLimits>
}

export const ollamaName: ServerName = {
  name: 'Ollama',
  startHint: 'Start it with `ollama serve` (or its app), or point OLLAMA_HOST to where it runs.',
}

/** What a server knows by heart is there at once, or something is wrong with it. */
export const catalogLimits = { totalTimeoutMs: 30_000 }

/** Opens one endpoint: GET without a body, else POST. The caller closes the response. */
export function callOllama(
  path: string,
  connection: OllamaConnection,
  body?: string | Uint8Array,
): Promise<TransportResponse> {
  return openResponse({
    url: ollamaEndpoint(connection.host, path),
    method: body === undefined ? 'GET' : 'POST',
    server: ollamaName,
    ...(body === undefined ? {} : { body }),
    ...(connection.signal === undefined ? {} : { signal: connection.signal }),
    ...(connection.limits === undefined ? {} : { limits: connection.limits }),
  })
}

/** Reads a whole JSON answer; a refusal is thrown as the error that `refusal` makes of it. */
export async function readOllamaJson(
  path: string,
  connection: OllamaConnection,
  refusal: (status: number, text: string) => Promise<ChatModelError> | ChatModelError,
  body?: string,
): Promise<unknown> {
  const response = await callOllama(path, connection, body)
  try {
    const text = await response.text()
    if (response.status !== 200)
      throw redirected(response, connection.host, path) ?? (await refusal(response.status, text))
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) throw notOllama(connection.host, path, { cause: error })
    throw error
  } finally {
    response.close()
  }
}

/** Makes the error for a refused call; a missing model costs one more call, to name those that are there. */
export async function refusalOf(
  status: number,
  text: string,
  call: OllamaCall,
  signal: AbortSignal | undefined,
): Promise<ChatModelError> {
  const message = errorText(text)
  if (status !== 404) return classifyOllamaError(message, status, call)
  if (!/not found/i.test(message) || !/model/i.test(message)) return notOllama(call.host, '/api/chat')
  return missingModelError(call, await modelNames(call.host, signal))
}

async function modelNames(
  host: URL,
  signal: AbortSignal | undefined,
): Promise<readonly string[] | undefined> {
  const limits = { totalTimeoutMs: 5_000 }
  const connection = { host, limits, ...(signal === undefined ? {} : { signal }) }
  try {
    const answer = await readOllamaJson('/api/tags', connection, () => notOllama(host, '/api/tags'))
    return readModelList(answer)?.map(({ name }) => name)
  } catch (error) {
    if (ChatModelError.isInstance(error)) return undefined // the first error matters more than this list
    throw error
  }
}

function errorText(body: string): string {
  try {
    const parsed = JSON.parse(body) as { error?: unknown }
    return typeof parsed.error === 'string' ? parsed.error : body
  } catch {
    return body.trim() || '(no text)'
  }
}

/** What a server answered that is no answer of Ollama. */
export interface ForeignAnswer {
  readonly status?: number
  readonly location?: string | undefined
  /** What is wrong with it, where its status says nothing. */
  readonly why?: string
  readonly cause?: unknown
}

/** For a server that answers, but not as Ollama does. */
export function notOllama(host: URL, path: string, answer: ForeignAnswer = {}): ChatModelError {
  const { status, cause } = answer
  return new ChatModelError(
    {
      code: 'chat/server-error',
      what:
        status === undefined
          ? `The server at ${hostOf(host)} does not answer ${path} as Ollama does.`
          : `The server at ${hostOf(host)} answered ${path} with status ${status}.`,
      why: answer.why ?? reasonOf(answer),
      instead: 'Check the option host and OLLAMA_HOST.',
      details: { host: hostOf(host), ...(status === undefined ? {} : { status }) },
    },
    { cause },
  )
}

function reasonOf({ status = 0, location }: ForeignAnswer): string {
  if (status >= 300 && status < 400)
    return `It redirects${location === undefined ? '' : ` to ${location}`}, and redirects are not followed.`
  if (status === 401 || status === 403 || status === 407)
    return 'It asks for a sign-in, which Ollama itself does not.'
  if (status >= 500) return 'The server failed.'
  return 'Another program may listen on that port.'
}

/** The error for a redirect, of which Ollama sends none. */
export function redirected(response: TransportResponse, host: URL, path: string): ChatModelError | undefined {
  const { status, location } = response
  return status >= 300 && status < 400 ? notOllama(host, path, { status, location }) : undefined
}
