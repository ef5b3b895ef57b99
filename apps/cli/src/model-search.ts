import { IcmError } from '@icm/errors'
import type { Configuration } from './config.js'

export interface ModelWishes {
  readonly provider?: string
  readonly model?: string
  readonly host?: string
}

/** A model that could be used, before it is opened. */
export type ModelChoice =
  | { readonly provider: 'ollama'; readonly name: string; readonly host: string; readonly why: string }
  | {
      readonly provider: 'openai-compatible'
      readonly name: string
      readonly baseUrl: string
      readonly apiKey?: string
      readonly why: string
    }
  | { readonly provider: 'llama'; readonly path: string; readonly why: string }

/** Which environment variable would be sent where. */
export interface KeyPlace {
  readonly variable: string
  readonly origin: string
}

/** One search for a model, and what it has found out so far. */
export interface ModelSearch {
  readonly configuration: Configuration
  readonly wishes: ModelWishes
  readonly env: NodeJS.ProcessEnv
  readonly signal?: AbortSignal
  /** Resolves once a person has agreed that the key of a server leaves this machine. */
  readonly requireKeyGrant?: (place: KeyPlace) => Promise<void>
  /** What was tried without success, in order. */
  readonly tried: string[]
  /** Those of them that were named or there, and failed: a person must hear of them, also when the search goes on. */
  readonly failures: { readonly text: string; readonly instead: string }[]
}

/** The model that was named by a flag or in the file; undefined where any may be taken. */
export function namedModel({ configuration, wishes }: ModelSearch): string | undefined {
  return wishes.model ?? (configuration.model.nameIsExplicit ? configuration.model.name : undefined)
}

/** Notes why something was not used; anything but a failure of a model (an abort, a fault of icm) is thrown on. */
export function noteFailure(search: ModelSearch, place: string, error: unknown): void {
  search.signal?.throwIfAborted()
  if (!IcmError.isInstance(error) || !error.code.startsWith('chat/')) throw error
  const text = `${place}: ${describeFailure(error)}`
  search.tried.push(text)
  if (error.code === 'chat/unreachable') return
  const isSlow = error.code === 'chat/timeout'
  search.failures.push({
    text,
    instead: isSlow ? 'Restart that server, or use another model.' : error.instead,
  })
}

/** An error as part of a list: one line without its last full stop. */
function describeFailure({ code, what, why, details }: IcmError): string {
  if (code === 'chat/unreachable') return 'no answer'
  if (code === 'chat/timeout') return `no whole answer within ${Number(details.timeoutMs) / 1000} s`
  return `${what} ${why}`.replace(/\s*\n\s*/g, ' ').replace(/\.$/, '')
}
