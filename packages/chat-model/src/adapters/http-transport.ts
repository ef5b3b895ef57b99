import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { addressOf, createAgent, knownAgent } from './http-connections.js'
import {
  connectionError,
  type ServerName,
  type TransportLimits,
  timeoutError,
  tooLongError,
} from './http-errors.js'
import { createLimitTimer } from './limit-timer.js'
import { type ChunkReader, type ChunkWatch, readChunks } from './read-chunks.js'

/** One HTTP call. */
export interface TransportRequest {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  /** Bytes are not copied: they stay as they are until the answer is over. */
  readonly body?: string | Uint8Array
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
  /** Seconds after which a busy server wants to be asked again. */
  readonly retryAfter: string | undefined
  /** The body; leaving the loop closes the connection. */
  readonly chunks: ChunkReader
  /** The rest of the body as one text, at most 32 MiB of it. */
  text(): Promise<string>
  /** For a reader that has seen the answer's own end: the connection is kept for the next call if its end comes too. */
  release(): void
  /** Closes the connection at once, unless its answer was read to the end; safe to call twice. */
  close(): void
}

/**
 * Connect: 10 s. First token: 10 minutes, because a server that loads a model and reads a long prompt says nothing
 * until it is done. Idle: 2 minutes between two pieces of an answer. The whole: no limit.
 */
export const defaultLimits: TransportLimits = {
  connectTimeoutMs: 10_000,
  firstTokenTimeoutMs: 600_000,
  idleTimeoutMs: 120_000,
  totalTimeoutMs: 0,
}

/** The limits of one request, with the defaults. */
export function limitsOf({ limits }: Pick<TransportRequest, 'limits'>): TransportLimits {
  return limits === undefined ? defaultLimits : { ...defaultLimits, ...limits }
}

/** What is read whole is short; a body that never ends must not fill the memory. */
const maxTextBytes = 32 * 1024 * 1024

/**
 * Sends one request over node:http(s) and returns when the answer's headers are there, whatever their status.
 *
 * Exists because fetch gives up after 300 s without headers (field report A06), and because the vendor's client
 * cannot abort a call whose answer has not begun (A07). `signal` works at every moment and rethrows its reason.
 * Connections are kept for a few seconds; one that the server closed meanwhile is replaced without a word.
 * Throws `chat/unreachable` (no connection), `chat/timeout` (names the limit), `chat/stream-corrupt` (cut off), and
 * `text` also `chat/server-error` (too long).
 */
export async function openResponse(request: TransportRequest): Promise<TransportResponse> {
  try {
    return await openOnce(
      request,
      knownAgent(request.url.protocol) ?? (await createAgent(request.url.protocol)),
    )
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error
    return await openOnce(request, false)
  }
}

async function openOnce(request: TransportRequest, agent: Agent | false): Promise<TransportResponse> {
  request.signal?.throwIfAborted()
  const secure = request.url.protocol === 'https:'
  const send = secure ? (await import('node:https')).request : httpRequest
  request.signal?.throwIfAborted()
  const { protocol, hostname, port, path, auth } = addressOf(request.url)
  const { method } = request
  const wire = send({ protocol, hostname, port, path, auth, method, headers: headersOf(request), agent })
  const watch = watchConnection(wire, request)
  try {
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      wire.once('response', resolve)
      wire.once('error', reject)
      wire.once('socket', (socket) => {
        if (wire.reusedSocket) watch.connected()
        else socket.once(secure ? 'secureConnect' : 'connect', watch.connected)
      })
      wire.end(request.body)
    })
    const chunks = readChunks(message, watch)
    return {
      status: message.statusCode ?? 0,
      location: message.headers.location,
      retryAfter: message.headers['retry-after'],
      chunks,
      text: () => readText(chunks, request),
      release() {
        chunks.drop()
        watch.release(message)
      },
      close: watch.close,
    }
  } catch (error) {
    watch.close()
    throw wire.reusedSocket && watch.isOpen() ? new StaleConnection() : watch.translate(error)
  }
}

/** A kept connection that broke before the answer began: the server had closed it. Never leaves this file. */
class StaleConnection extends Error {}

interface ConnectionWatch extends ChunkWatch {
  readonly connected: () => void
  readonly release: (message: IncomingMessage) => void
  /** Neither aborted nor out of time. */
  readonly isOpen: () => boolean
}

/** Ends the connection on abort or when a limit is over, and remembers which it was. */
function watchConnection(wire: ClientRequest, request: TransportRequest): ConnectionWatch {
  const limits = limitsOf(request)
  let connected = false
  let released = false
  let failure: { readonly error: unknown } | undefined
  const fail = (error: unknown) => {
    failure ??= { error }
    wire.destroy()
  }
  const onOver = (limit: keyof TransportLimits) =>
    fail(timeoutError(limit, limits[limit], request.url, request.server))
  const timer = createLimitTimer(onOver)
  const startTimer = (limit: keyof TransportLimits) => timer.start(limit, limits[limit])
  const onAbort = () => fail(request.signal?.reason)
  request.signal?.addEventListener('abort', onAbort, { once: true })
  wire.on('error', ignore)
  startTimer('connectTimeoutMs')
  const total = limits.totalTimeoutMs > 0 ? createLimitTimer(onOver) : undefined
  total?.start('totalTimeoutMs', limits.totalTimeoutMs)
  const unwatch = () => {
    timer.end()
    total?.end()
    request.signal?.removeEventListener('abort', onAbort)
  }
  return {
    connected: () => {
      connected = true
      startTimer('firstTokenTimeoutMs')
    },
    waiting: () => startTimer('idleTimeoutMs'),
    arrived: timer.stop,
    release: (message) => {
      unwatch()
      released = true
      endSoon(wire, message)
    },
    close: () => {
      unwatch()
      if (!released) wire.destroy() // does nothing once the answer was read to its end
    },
    isOpen: () => failure === undefined,
    translate: (error) =>
      failure ? failure.error : connectionError(error, connected, request.url, request.server),
  }
}

/** Reads away what follows a complete answer, which is its formal end; a server that has more to say is cut off. */
function endSoon(wire: ClientRequest, message: IncomingMessage): void {
  message.resume()
  if (message.complete) return
  const timer = setTimeout(() => wire.destroy(), graceMs)
  timer.unref()
  message.once('close', () => clearTimeout(timer))
}

const graceMs = 100

async function readText(chunks: ChunkReader, request: TransportRequest): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxTextBytes) throw tooLongError(maxTextBytes, request.url, request.server)
    parts.push(chunk)
  }
  return Buffer.concat(parts).toString('utf8')
}

function headersOf({ body, headers }: TransportRequest): { readonly [name: string]: string } {
  const own: { readonly [name: string]: string } =
    body === undefined
      ? { accept: json }
      : { accept: json, 'content-type': json, 'content-length': String(Buffer.byteLength(body)) }
  return headers === undefined ? own : { ...own, ...headers }
}

const json = 'application/json'

function ignore(): void {}
