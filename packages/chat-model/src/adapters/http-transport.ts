import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import {
  connectionError,
  type ServerName,
  type TransportLimits,
  timeoutError,
  tooLongError,
} from './http-errors.js'

/** One HTTP call. */
export interface TransportRequest {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly body?: string
  readonly headers?: { readonly [name: string]: string }
  readonly signal?: AbortSignal
  readonly limits?: Partial<TransportLimits>
  /** Who is called and how to start it; for error texts. */
  readonly server: ServerName
}

/** An answer whose body is still on its way. Whoever opened it calls `close`, however it ends. */
export interface TransportResponse {
  readonly status: number
  /** Where a redirect points to; none is followed. */
  readonly location: string | undefined
  /** The body; leaving the loop closes the connection. */
  readonly chunks: AsyncGenerator<Uint8Array, void, void>
  /** The rest of the body as one text, at most 32 MiB of it. */
  text(): Promise<string>
  /** Closes the connection at once; safe to call twice. */
  close(): void
}

/**
 * Connect: 10 s. First token: 10 minutes, because a server that loads a model and reads a long prompt says nothing
 * until it is done. Idle: 2 minutes between two pieces of an answer. The whole: no limit.
 */
const defaultLimits: TransportLimits = {
  connectTimeoutMs: 10_000,
  firstTokenTimeoutMs: 600_000,
  idleTimeoutMs: 120_000,
  totalTimeoutMs: 0,
}

/** What is read whole is short; a body that never ends must not fill the memory. */
const maxTextBytes = 32 * 1024 * 1024

/**
 * Sends one request over node:http(s) and returns when the answer's headers are there, whatever their status.
 *
 * Exists because fetch gives up after 300 s without headers (field report A06), and because the vendor's client
 * cannot abort a call whose answer has not begun (A07). `signal` works at every moment and rethrows its reason.
 * Throws `chat/unreachable` (no connection), `chat/timeout` (names the limit), `chat/stream-corrupt` (cut off), and
 * `text` also `chat/server-error` (too long).
 */
export async function openResponse(request: TransportRequest): Promise<TransportResponse> {
  request.signal?.throwIfAborted()
  const secure = request.url.protocol === 'https:'
  const send = secure ? (await import('node:https')).request : httpRequest
  // A connection of its own for each call: a kept-alive socket that the server has just closed would fail the next call.
  const wire = send(request.url, { method: request.method, headers: headersOf(request), agent: false })
  const watch = watchConnection(wire, request)
  try {
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      wire.once('response', resolve)
      wire.once('error', reject)
      wire.once('socket', (socket) => socket.once(secure ? 'secureConnect' : 'connect', watch.connected))
      wire.end(request.body)
    })
    message.on('error', ignore) // the reader sees it; without a listener it would end the process between two reads
    const chunks = readChunks(message, watch)
    return {
      status: message.statusCode ?? 0,
      location: message.headers.location,
      chunks,
      text: () => readText(chunks, request),
      close: watch.close,
    }
  } catch (error) {
    watch.close()
    throw watch.translate(error)
  }
}

interface ConnectionWatch {
  readonly connected: () => void
  readonly startTimer: (limit: keyof TransportLimits) => void
  readonly stopTimer: () => void
  readonly close: () => void
  readonly translate: (error: unknown) => unknown
}

/** Ends the connection on abort or when a limit is over, and remembers which it was. */
function watchConnection(wire: ClientRequest, request: TransportRequest): ConnectionWatch {
  const limits = { ...defaultLimits, ...request.limits }
  let connected = false
  let failure: { readonly error: unknown } | undefined
  let timer: NodeJS.Timeout | undefined
  const fail = (error: unknown) => {
    failure ??= { error }
    wire.destroy()
  }
  const stopTimer = () => clearTimeout(timer)
  const failAfter = (limit: keyof TransportLimits) => {
    const timeoutMs = limits[limit]
    if (timeoutMs <= 0 || timeoutMs > longestTimerMs) return undefined
    return setTimeout(() => fail(timeoutError(limit, timeoutMs, request.url, request.server)), timeoutMs)
  }
  const startTimer = (limit: keyof TransportLimits) => {
    stopTimer()
    timer = failAfter(limit)
  }
  const onAbort = () => fail(request.signal?.reason)
  request.signal?.addEventListener('abort', onAbort, { once: true })
  wire.on('error', ignore)
  startTimer('connectTimeoutMs')
  const totalTimer = failAfter('totalTimeoutMs')
  return {
    connected: () => {
      connected = true
      startTimer('firstTokenTimeoutMs')
    },
    startTimer,
    stopTimer,
    close: () => {
      stopTimer()
      clearTimeout(totalTimer)
      request.signal?.removeEventListener('abort', onAbort)
      wire.destroy()
    },
    translate: (error) =>
      failure ? failure.error : connectionError(error, connected, request.url, request.server),
  }
}

// Limits count while we wait for the server, never while the consumer works on what it got.
async function* readChunks(
  message: IncomingMessage,
  watch: ConnectionWatch,
): AsyncGenerator<Uint8Array, void, void> {
  const source = message[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  try {
    for (;;) {
      const next = await source.next().catch((error: unknown) => {
        throw watch.translate(error)
      })
      watch.stopTimer()
      if (next.done === true) return
      yield next.value
      watch.startTimer('idleTimeoutMs')
    }
  } finally {
    watch.close()
  }
}

async function readText(chunks: AsyncIterable<Uint8Array>, request: TransportRequest): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxTextBytes) throw tooLongError(maxTextBytes, request.url, request.server)
    parts.push(chunk)
  }
  return Buffer.concat(parts).toString('utf8')
}

function headersOf(request: TransportRequest): { [name: string]: string } {
  const headers: { [name: string]: string } = { accept: 'application/json' }
  if (request.body !== undefined) {
    headers['content-type'] = 'application/json'
    headers['content-length'] = String(Buffer.byteLength(request.body))
  }
  return { ...headers, ...request.headers }
}

// setTimeout fires at once when asked to wait longer than this.
const longestTimerMs = 2_147_483_647

function ignore(): void {}
