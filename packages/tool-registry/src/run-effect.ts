import { setTimeout as sleep } from 'node:timers/promises'
import { hashJson } from '@icm/json-schema'
import { type Attempt, execute, type Result } from './attempt.js'
import type { ClaimResult, EffectClaim, EffectLedger, EffectRecord } from './effect-store.js'
import { fenceUntrusted } from './fence-untrusted.js'
import type { ObservedResult } from './observe-result.js'
import { effectDeclined, effectInDoubt, effectInProgress, errorResult, notRecorded } from './problems.js'
import { runWithConsent } from './run-with-consent.js'
import { shapeObservation } from './shape-observation.js'
import type { EffectOptions } from './types.js'

const REPLAY_LIMIT = 500
const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 500

/**
 * Runs a call that must not happen twice: claims its key, puts on disk that it is about to be sent, runs it, and puts
 * down what came of it. What has happened already is answered with its earlier result; what may have happened is not
 * tried again. Throws only `signal.reason`, and errors of the store from before anything was sent.
 */
export async function runEffect(attempt: Attempt, effects: EffectOptions): Promise<Result> {
  const key = effectKeyOf(attempt)
  const result = await claimPatiently(effects.store.ledger, key, attempt)
  if (result.status === 'busy') return errorResult(effectInProgress(attempt.tool.name, result.holder))
  if (result.status === 'known') return describeKnown(attempt, result.record)
  const { claim } = result
  let ended = false
  try {
    return await runWithConsent(attempt, async (agreed) => {
      const sent: EffectRecord = {
        key,
        toolName: agreed.tool.name,
        arguments: agreed.call.arguments,
        scope: agreed.scope,
        ...(effects.stage === undefined ? {} : { stage: effects.stage }),
        state: 'sent',
        sentAt: new Date().toISOString(),
      }
      await claim.markSent(sent)
      const observed = await execute(agreed)
      ended = true
      return recordEnd(claim, sent, observed)
    })
  } finally {
    if (!ended) await claim.release()
  }
}

/** Whatever means the same effect has the same key; a repeatable tool means each call. */
function effectKeyOf({ tool, call, scope, found }: Attempt): string {
  const occurrence = tool.repeatable === true ? [found.call.id] : []
  return hashJson([tool.name, call.arguments, scope, ...occurrence]).slice(0, 16)
}

/** An equal call that is running will soon have a result to share: that is worth the time that this call may take. */
async function claimPatiently(ledger: EffectLedger, key: string, { limits }: Attempt): Promise<ClaimResult> {
  const endsAt = performance.now() + limits.timeoutMs
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    limits.signal?.throwIfAborted()
    const result = await ledger.claim(key)
    if (result.status !== 'busy' || performance.now() + waitMs > endsAt) return result
    // The abort is noticed at the next look; its reason must be thrown as it is.
    await sleep(waitMs, undefined, limits.signal === undefined ? {} : { signal: limits.signal }).catch(
      () => undefined,
    )
  }
}

async function recordEnd(
  claim: EffectClaim,
  sent: EffectRecord,
  observed: ObservedResult,
): Promise<ObservedResult> {
  const reference = observed.status === 'ok' ? observed.reference : undefined
  const state = observed.status === 'ok' ? 'done' : observed.status === 'error' ? 'failed' : 'in_doubt'
  const record: EffectRecord = {
    ...sent,
    state,
    endedAt: new Date().toISOString(),
    text: observed.plain ?? observed.text,
    ...(reference === undefined ? {} : { reference }),
  }
  try {
    await claim.finish(record)
    return observed
  } catch (error) {
    // The effect has happened, whatever the disk says; the record stays `sent`, which is in doubt after a restart.
    return { ...observed, text: `${observed.text}\n${notRecorded(error)}` }
  }
}

function describeKnown({ tool, options }: Attempt, record: EffectRecord): Result {
  if (record.state === 'declined') return errorResult(effectDeclined(tool.name, record))
  if (record.state !== 'done') {
    return { ...errorResult(effectInDoubt(tool.name, record)), status: 'in_doubt' }
  }
  const stage = record.stage === undefined ? '' : ` in stage ${record.stage}`
  const head = `Already done at ${record.endedAt ?? record.sentAt}${stage}; it was not done again. Its result:\n`
  const result = shapeObservation(record.text ?? '', {
    limit: REPLAY_LIMIT - head.length,
    ...(record.reference === undefined
      ? {}
      : { whenTrimmed: `All of it: read_observation(path="${record.reference}").` }),
  })
  const fenced = tool.output !== 'trusted' && options.fence !== false
  return {
    status: 'ok',
    text: head + (fenced ? fenceUntrusted(result.text, tool.name) : result.text),
    plain: record.text ?? '',
    trimmedCharacters: result.trimmedCharacters,
    replayed: true,
    ...(record.reference === undefined ? {} : { reference: record.reference }),
  }
}
