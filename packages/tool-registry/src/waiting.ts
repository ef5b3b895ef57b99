import type { EffectRecord, EffectStore, PersonsAnswer, StoredConsent } from './effect-store.js'

/** Something that only a person can decide. The id is as long as the key; any unique beginning of it will do. */
export type Waiting =
  | { readonly kind: 'consent'; readonly id: string; readonly since: string; readonly consent: StoredConsent }
  | { readonly kind: 'in_doubt'; readonly id: string; readonly since: string; readonly effect: EffectRecord }

/** Everything that waits for a person, the oldest first: consents not answered, effects that nobody can vouch for. */
export async function listWaiting(store: EffectStore): Promise<readonly Waiting[]> {
  const [consents, effects] = await Promise.all([store.consents.list(), store.ledger.list()])
  const waiting: Waiting[] = [
    ...consents
      .filter(({ state }) => state === 'waiting')
      .map((consent) => ({ kind: 'consent', id: consent.key, since: consent.askedAt, consent }) as const),
    ...effects
      .filter(({ state }) => state === 'in_doubt')
      .map((effect) => ({ kind: 'in_doubt', id: effect.key, since: effect.sentAt, effect }) as const),
  ]
  return waiting.sort((left, right) => left.since.localeCompare(right.since))
}

/** What came of a decision: the thing decided, or why none was. */
export type DecidedWaiting =
  | { readonly status: 'decided'; readonly waiting: Waiting }
  | { readonly status: 'unknown' | 'ambiguous'; readonly among: readonly Waiting[] }

/**
 * Puts down a person's word on what waits under an id or the beginning of one; without an id, on the only thing that
 * waits. Consent approved: exactly that call may run once. Effect in doubt approved: it may run again; rejected: never.
 */
export async function decideWaiting(
  store: EffectStore,
  id: string | undefined,
  answer: PersonsAnswer,
): Promise<DecidedWaiting> {
  const among = await listWaiting(store)
  const meant = id === undefined ? among : among.filter((waiting) => id !== '' && waiting.id.startsWith(id))
  const [waiting, ...others] = meant
  if (waiting === undefined) return { status: 'unknown', among }
  if (others.length > 0) return { status: 'ambiguous', among: meant }
  const done =
    waiting.kind === 'consent'
      ? await store.consents.answer(waiting.id, answer)
      : await store.ledger.settle(waiting.id, answer)
  // Somebody else may have decided in between.
  return done === undefined ? { status: 'unknown', among } : { status: 'decided', waiting }
}
