import type { JsonObject } from './json-value.js'

/** A failure as data, in three sentences that a person or a model can act on. */
export interface Problem<Code extends string = string> {
  /** Stable identifier, `'<package>/<name>'`. Semver covers codes, not the prose. */
  readonly code: Code
  /** The past-tense fact, with the real values. */
  readonly what: string
  /** The rule that was broken, or the cause. */
  readonly why: string
  /** One imperative line: what to do now. */
  readonly instead: string
  readonly details?: JsonObject
}

// A registered symbol, so that two installed copies of this package recognise each other's errors.
const brand = Symbol.for('@icm/errors/IcmError')

/**
 * The error that every `@icm/*` package throws (each has its own subclass).
 * Its message is `what why instead`; it holds JSON details and a cause, never live state.
 */
export class IcmError<Code extends string = string> extends Error implements Problem<Code> {
  readonly code: Code
  readonly what: string
  readonly why: string
  readonly instead: string
  /** Whether the same call can succeed later without a change. Default false. */
  readonly retryable: boolean
  readonly details: JsonObject

  constructor(problem: Problem<Code> & { readonly retryable?: boolean }, options?: { cause?: unknown }) {
    super(describeProblem(problem), options)
    this.name = new.target.name
    this.code = problem.code
    this.what = problem.what
    this.why = problem.why
    this.instead = problem.instead
    this.retryable = problem.retryable ?? false
    this.details = problem.details ?? {}
    Object.defineProperty(this, brand, { value: true })
  }

  toJSON(): Problem<Code> {
    return { code: this.code, what: this.what, why: this.why, instead: this.instead, details: this.details }
  }

  /** True for any IcmError, also one made by another installed copy of this package. */
  static isInstance(value: unknown): value is IcmError {
    return typeof value === 'object' && value !== null && brand in value
  }
}

/** Joins a problem's three parts into one line of text. */
export function describeProblem(problem: Problem): string {
  return [problem.what, problem.why, problem.instead].filter((part) => part !== '').join(' ')
}
