import type { JsonObject } from '@icm/errors'
import type { ConsentRequest } from './types.js'

/**
 * How far an effect is. `sent` without a living process behind it means that nobody knows: stores report it as
 * `in_doubt`. A `failed` one may be tried again, a `declined` one was in doubt and a person decided against a repeat.
 */
export type EffectState = 'sent' | 'done' | 'failed' | 'in_doubt' | 'declined'

/** What a store keeps of one call that must not happen twice. Plain JSON. */
export interface EffectRecord {
  /** SHA-256 of tool name, effective arguments and scope, 16 hex digits. */
  readonly key: string
  readonly toolName: string
  readonly arguments: JsonObject
  /** The run, or the workspace for what cannot be undone. */
  readonly scope: string
  readonly stage?: string
  readonly state: EffectState
  /** ISO times. */
  readonly sentAt: string
  readonly endedAt?: string
  /** The result as the tool's output was shown; of a failure what was reported. */
  readonly text?: string
  /** Where the whole result is, when `text` is not all of it. */
  readonly reference?: string
  /** What a person wrote when deciding. */
  readonly note?: string
}

/** The exclusive right to run one effect. Ends with exactly one of `finish` and `release`. */
export interface EffectClaim {
  /** Resolves when the record is durable; only then may the tool run. */
  markSent(record: EffectRecord): Promise<void>
  /** Makes the outcome durable and gives the claim up. */
  finish(record: EffectRecord): Promise<void>
  /** Gives the claim up without a change: nothing was sent. */
  release(): Promise<void>
}

export type ClaimResult =
  | { readonly status: 'claimed'; readonly claim: EffectClaim }
  /** There is an outcome already, or nobody knows it. */
  | { readonly status: 'known'; readonly record: EffectRecord }
  /** Another call holds the claim at this moment. */
  | { readonly status: 'busy'; readonly holder: string }

/** A person's word. */
export interface PersonsAnswer {
  readonly approved: boolean
  readonly note?: string
}

/** Remembers effects so that none happens twice, over processes and crashes. */
export interface EffectLedger {
  /** Atomic: of any number of simultaneous claims for one key at most one is `claimed`. */
  claim(key: string): Promise<ClaimResult>
  /** Every record, the oldest first; those that nobody can vouch for as `in_doubt`. */
  list(): Promise<readonly EffectRecord[]>
  /**
   * A person decides an effect in doubt: approved, it may run again; else it never will. Returns the record as it was,
   * undefined when no effect in doubt has that key.
   */
  settle(key: string, answer: PersonsAnswer): Promise<EffectRecord | undefined>
}

/** A request for consent as a store keeps it. Plain JSON. */
export interface StoredConsent {
  /** The request's `consentKey`: tool, definition, effective arguments, scope, and whether foreign text was read. */
  readonly key: string
  readonly request: ConsentRequest
  readonly scope: string
  readonly stage?: string
  readonly state: 'waiting' | 'approved' | 'rejected'
  readonly askedAt: string
  readonly decidedAt?: string
  readonly note?: string
}

/** Keeps requests for consent until a person has answered and the answer is used. */
export interface ConsentBook {
  /** Puts a request down; an equal one that is there already stays as it is. */
  ask(consent: StoredConsent): Promise<void>
  /** Takes the answer out, so that it is used once; undefined while there is none. Atomic over processes. */
  take(key: string): Promise<PersonsAnswer | undefined>
  /** Every request that is waiting or answered and not used, the oldest first. */
  list(): Promise<readonly StoredConsent[]>
  /** Returns the answered request, undefined when none waits with that key. */
  answer(key: string, answer: PersonsAnswer): Promise<StoredConsent | undefined>
}

/** Where effects and consents live. The default is `openEffectStore(folder)`; any database can stand in. */
export interface EffectStore {
  readonly ledger: EffectLedger
  readonly consents: ConsentBook
}
