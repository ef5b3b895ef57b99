import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { isSameOllamaModel } from '../adapters/ollama-show.js'
import {
  type FakeChatBody,
  type FakeOllamaAnswer,
  type FakeOllamaLine,
  type FakeOllamaReply,
  linesOf,
} from './fake-ollama-answer.js'

export interface FakeOllamaModel {
  readonly name: string
  /** Default `['completion', 'tools']`. */
  readonly capabilities?: readonly string[]
  /** Default 32768. */
  readonly contextLength?: number
  readonly family?: string
  /** Bytes; default 1000. */
  readonly size?: number
}

export interface FakeOllamaOptions {
  /** The models that were "pulled". */
  readonly models: readonly (string | FakeOllamaModel)[]
  /** Called for each accepted `/api/chat`; `index` counts them from 0. */
  readonly answer: (body: FakeChatBody, index: number) => FakeOllamaAnswer | Promise<FakeOllamaAnswer>
  /** Default `'0.17.4'`. */
  readonly version?: string
  /** Older servers cut a prompt that does not fit; newer ones refuse it when `truncate` is false. Default true. */
  readonly refusesOverflow?: boolean
}

export interface FakeOllamaRequest {
  readonly path: string
  /** Exactly what came over the wire. */
  readonly bodyText: string
  /** Parsed; undefined for GET. */
  readonly body: FakeChatBody | undefined
  /** Settles when the exchange is over: answered to its end, cut off by the script, or left by the client. */
  readonly ended: Promise<'answered' | 'cut' | 'client-left'>
}

export interface FakeOllama {
  /** `http://127.0.0.1:<port>` */
  readonly host: string
  /** Every request, also `/api/show` and `/api/tags`. */
  readonly requests: readonly FakeOllamaRequest[]
  /** Those to `/api/chat`, refused ones included. */
  readonly chats: readonly FakeOllamaRequest[]
  close(): Promise<void>
}

/**
 * A real HTTP server on 127.0.0.1 that speaks Ollama's protocol from a script; for tests.
 *
 * Before the script is asked it refuses what a real 0.17.4 refuses: unknown models (404), tools or thinking for models
 * without them, arguments that are not an object, a `keep_alive` without a unit, and – with `truncate: false` – a
 * prompt that does not fit (400).
 */
export async function startFakeOllama(options: FakeOllamaOptions): Promise<FakeOllama> {
  const requests: FakeOllamaRequest[] = []
  const context: FakeContext = { options, models: options.models.map(asModel), answered: 0 }
  const server = createServer((incoming, response) => {
    handle(incoming, response, requests, context).catch((error: unknown) => {
      // A script that throws must show in the test that runs it, not end the process.
      if (response.headersSent) response.destroy()
      else sendJson(response, 500, { error: `the script threw: ${String(error)}` })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get chats() {
      return requests.filter((request) => request.path === '/api/chat')
    },
    close: () => closeServer(server),
  }
}

interface FakeContext {
  readonly options: FakeOllamaOptions
  readonly models: readonly Required<FakeOllamaModel>[]
  answered: number
}

async function handle(
  incoming: IncomingMessage,
  response: ServerResponse,
  requests: FakeOllamaRequest[],
  context: FakeContext,
): Promise<void> {
  let wasCut = false
  const ended = once(response, 'close').then(() =>
    response.writableFinished ? ('answered' as const) : wasCut ? ('cut' as const) : ('client-left' as const),
  )
  const bodyText = await readBody(incoming)
  const body = bodyText === '' ? undefined : (JSON.parse(bodyText) as FakeChatBody)
  const path = incoming.url ?? ''
  requests.push({ path, bodyText, body, ended })
  await respond(path, body, response, context, () => {
    wasCut = true
    response.destroy()
  })
}

async function respond(
  path: string,
  body: FakeChatBody | undefined,
  response: ServerResponse,
  context: FakeContext,
  cut: () => void,
): Promise<void> {
  const model = context.models.find((candidate) => isSameOllamaModel(candidate.name, body?.model ?? ''))
  if (path === '/api/version')
    return sendJson(response, 200, { version: context.options.version ?? '0.17.4' })
  if (path === '/api/tags') return sendJson(response, 200, { models: context.models.map(listing) })
  if (path !== '/api/show' && path !== '/api/chat') return sendText(response, 404, '404 page not found')
  if (model === undefined || body === undefined) {
    return sendJson(response, 404, { error: `model '${body?.model}' not found` })
  }
  if (path === '/api/show') return sendJson(response, 200, details(model))
  const inputTokens = countTokens(body)
  const refusal = refuse(body, model, inputTokens, context.options.refusesOverflow ?? true)
  if (refusal !== undefined) return sendJson(response, 400, { error: refusal })
  const answer = await context.options.answer(body, context.answered++)
  await sendReply(typeof answer === 'string' ? { text: answer } : answer, body, response, inputTokens, cut)
}

function refuse(
  body: FakeChatBody,
  model: Required<FakeOllamaModel>,
  inputTokens: number,
  refusesOverflow: boolean,
): string | undefined {
  const can = (capability: string) => model.capabilities.includes(capability)
  if (typeof body.keep_alive === 'string' && !/[a-zµ]$/.test(body.keep_alive)) {
    return `time: missing unit in duration "${body.keep_alive}"`
  }
  const calls = body.messages.flatMap(
    (message) => (message.tool_calls ?? []) as { function: { arguments: unknown } }[],
  )
  if (calls.some((call) => typeof call.function.arguments !== 'object')) {
    return "Value looks like object, but can't find closing '}' symbol"
  }
  if ((body.tools ?? []).length > 0 && !can('tools')) {
    return `registry.ollama.ai/library/${model.name} does not support tools`
  }
  if (body.think !== undefined && body.think !== false && !can('thinking')) {
    return `"${body.model}" does not support thinking`
  }
  const window = Number(body.options?.num_ctx ?? 4096)
  if (refusesOverflow && body.truncate === false && inputTokens > window) {
    return 'the input length exceeds the context length'
  }
  return undefined
}

async function sendReply(
  reply: FakeOllamaReply,
  body: FakeChatBody,
  response: ServerResponse,
  inputTokens: number,
  cut: () => void,
): Promise<void> {
  const left = new AbortController()
  response.once('close', () => left.abort())
  const pause = (ms: number | undefined) =>
    ms === undefined ? undefined : wait(ms, undefined, { signal: left.signal }).catch(() => undefined)
  await pause(reply.delayMs)
  const refused = reply.error !== undefined && reply.text === undefined && reply.lines === undefined
  const status = reply.status ?? (refused ? 500 : 200)
  if (status !== 200) return sendJson(response, status, { error: reply.error ?? 'refused by the script' })
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  for (const line of linesOf(reply, body, inputTokens)) {
    if (response.destroyed) return
    if (isWait(line)) await pause(line.waitMs)
    else if (isCut(line)) return cut()
    else await write(response, isRaw(line) ? line.raw : `${JSON.stringify(line)}\n`)
    await pause(reply.lineDelayMs)
  }
  response.end()
}

// Waits until the bytes are out, so that what the script writes before a cut really arrives.
function write(response: ServerResponse, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(bytes, () => resolve()))
}

function isRaw(line: FakeOllamaLine): line is { raw: string | Uint8Array } {
  return 'raw' in line
}

function isWait(line: FakeOllamaLine): line is { waitMs: number } {
  return 'waitMs' in line
}

function isCut(line: FakeOllamaLine): line is { cut: true } {
  return 'cut' in line
}

function asModel(model: string | FakeOllamaModel): Required<FakeOllamaModel> {
  const defaults = {
    capabilities: ['completion', 'tools'],
    contextLength: 32_768,
    family: 'qwen2',
    size: 1_000,
  }
  return { ...defaults, ...(typeof model === 'string' ? { name: model } : model) }
}

function listing(model: Required<FakeOllamaModel>): object {
  const { name, size, family } = model
  return { name, model: name, modified_at: '2026-01-01T00:00:00Z', size, digest: 'fake', details: { family } }
}

function details(model: Required<FakeOllamaModel>): object {
  return {
    details: { format: 'gguf', family: model.family, parameter_size: '1.5B', quantization_level: 'Q4_K_M' },
    model_info: {
      'general.architecture': model.family,
      [`${model.family}.context_length`]: model.contextLength,
    },
    capabilities: model.capabilities,
    modified_at: '2026-01-01T00:00:00Z',
  }
}

/** A quarter of the bytes, plus eight a message. */
function countTokens(body: FakeChatBody): number {
  const tools = body.tools === undefined ? '' : JSON.stringify(body.tools)
  const texts = body.messages.map((message) => message.content).join('')
  return Math.ceil(Buffer.byteLength(tools + texts) / 4) + 8 * body.messages.length
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of incoming) parts.push(part as Uint8Array)
  return Buffer.concat(parts).toString('utf8')
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' })
  response.end(text)
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
