import { ChatModelError, type ChatModelErrorCode } from '../errors.js'
import { hostOf } from './http-errors.js'

/** One thing that servers refuse a request for, known by the words they use. */
export interface RefusalKind<Call> {
  readonly pattern: RegExp
  readonly code: ChatModelErrorCode
  readonly why: string
  readonly instead: (call: Call) => string
  readonly retryable: boolean
}

export interface Refusal<Call> {
  /** How the error calls the server, such as `Ollama`. */
  readonly who: string
  readonly host: URL
  /** The server's own words. */
  readonly text: string
  /** Undefined for an error in the middle of an answer. */
  readonly status: number | undefined
  readonly call: Call
  /** Undefined for words that nobody knows: then the status decides. */
  readonly kind: Omit<RefusalKind<Call>, 'pattern'> | undefined
}

/** The error for what a server refused, with its own words in it. */
export function serverRefusal<Call extends { readonly model: string }>({
  who,
  host,
  text,
  status,
  call,
  kind,
}: Refusal<Call>): ChatModelError {
  const code: ChatModelErrorCode =
    kind?.code ??
    (status !== undefined && status >= 400 && status < 500 ? 'chat/bad-request' : 'chat/server-error')
  const when = status === undefined ? 'in the middle of an answer' : `with status ${status}`
  return new ChatModelError({
    code,
    what: `${who} at ${hostOf(host)} refused model "${call.model}" ${when}: ${text.slice(0, 300)}`,
    why:
      kind?.why ?? (code === 'chat/bad-request' ? 'The server takes no such request.' : 'The server failed.'),
    instead: kind?.instead(call) ?? 'Look into the log of the server, then repeat the call.',
    retryable: kind?.retryable ?? code === 'chat/server-error',
    details: { host: hostOf(host), model: call.model, ...(status === undefined ? {} : { status }) },
  })
}
