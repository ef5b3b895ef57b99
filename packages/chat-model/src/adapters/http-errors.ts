import { ChatModelError } from '../errors.js'

/** How an error text names the server, and how a person starts it. */
export interface ServerName {
  readonly name: string
  /** One imperative line. */
  readonly startHint: string
}

/** How long each phase of a call may take, in milliseconds; 0 turns a limit off. */
export interface TransportLimits {
  readonly connectTimeoutMs: number
  /** From the connection to the first byte of the answer: model load and prompt evaluation. */
  readonly firstTokenTimeoutMs: number
  /** Between two pieces of an answer. */
  readonly idleTimeoutMs: number
  /** From the connection's first attempt to the answer's end; off for chats, whose length nobody knows. */
  readonly totalTimeoutMs: number
}

const limitTexts: {
  readonly [limit in keyof TransportLimits]: { what: string; why: string; otherwise: string }
} = {
  connectTimeoutMs: {
    what: 'accepted no connection',
    why: 'The machine may be off, or a firewall drops the packets.',
    otherwise: 'check the host',
  },
  firstTokenTimeoutMs: {
    what: 'sent no first token',
    why: 'Loading the model and reading the prompt took longer than the limit.',
    otherwise: 'use a smaller model or a shorter prompt',
  },
  idleTimeoutMs: {
    what: 'stopped sending in the middle of an answer',
    why: 'The server may hang or have lost its model.',
    otherwise: 'restart the server',
  },
  totalTimeoutMs: {
    what: 'did not come to the end of an answer',
    why: 'The server may hang, or send without end.',
    otherwise: 'restart the server',
  },
}

export function timeoutError(
  limit: keyof TransportLimits,
  timeoutMs: number,
  url: URL,
  server: ServerName,
): ChatModelError {
  const text = limitTexts[limit]
  return new ChatModelError({
    code: 'chat/timeout',
    what: `${server.name} at ${hostOf(url)} ${text.what} within ${timeoutMs} ms (limit ${limit}).`,
    why: text.why,
    instead: `Raise limits.${limit}, or ${text.otherwise}.`,
    retryable: true,
    details: { limit, timeoutMs, host: hostOf(url) },
  })
}

/** For a body that is longer than any answer that is read whole. */
export function tooLongError(maxBytes: number, url: URL, server: ServerName): ChatModelError {
  return new ChatModelError({
    code: 'chat/server-error',
    what: `${server.name} at ${hostOf(url)} answered ${url.pathname} with more than ${maxBytes} bytes.`,
    why: 'No answer there is that long; another program may listen on that port.',
    instead: 'Check the address of the server.',
    details: { host: hostOf(url) },
  })
}

/** Node buries the cause (`AggregateError` for two addresses, `cause` for TLS); this digs it out. */
export function connectionError(
  error: unknown,
  connected: boolean,
  url: URL,
  server: ServerName,
): ChatModelError {
  const { code, message } = rootCause(error)
  const details = { host: hostOf(url), cause: code }
  if (connected) {
    return new ChatModelError(
      {
        code: 'chat/stream-corrupt',
        what: `${server.name} at ${hostOf(url)} closed the connection before its answer was complete (${code}).`,
        why: 'An answer that breaks off is not used, because what is missing is not known.',
        instead: 'Look into the log of the server, then repeat the call.',
        retryable: true,
        details,
      },
      { cause: error },
    )
  }
  return new ChatModelError(
    {
      code: 'chat/unreachable',
      what: `${server.name} was not reached at ${hostOf(url)} (${message.includes(code) ? message : `${code}: ${message}`}).`,
      why: reasons[code] ?? 'The connection could not be made.',
      instead: server.startHint,
      retryable: true,
      details,
    },
    { cause: error },
  )
}

/** `host:port`, never credentials. */
export function hostOf(url: URL): string {
  return url.port === '' ? `${url.hostname}:${url.protocol === 'https:' ? 443 : 80}` : url.host
}

const reasons: { readonly [code: string]: string } = {
  ECONNREFUSED: 'Nothing listens on that host and port.',
  ENOTFOUND: 'No machine has that name.',
  EAI_AGAIN: 'The name could not be looked up.',
  EHOSTUNREACH: 'No way leads to that machine.',
  ENETUNREACH: 'No way leads to that network.',
}

function rootCause(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: 'unknown', message: String(error) }
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  if (inner instanceof Error) return rootCause(inner)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return { code, message: error.message || code }
}
