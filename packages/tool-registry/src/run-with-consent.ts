import type { Attempt, Result } from './attempt.js'
import { consentKeyOf, consentReason, findBackup, makeConsentRequest, previewCall } from './consent.js'
import type { PersonsAnswer } from './effect-store.js'
import type { ObservedResult } from './observe-result.js'
import { errorResult, rejected } from './problems.js'
import type { ConsentRequest } from './types.js'

/** Runs the call when nobody needs to agree, or somebody has; else asks. Throws only `signal.reason`. */
export async function runWithConsent(
  attempt: Attempt,
  run: (attempt: Attempt) => Promise<ObservedResult>,
): Promise<Result> {
  const { tool, call, options, limits, radius, level } = attempt
  const { session } = attempt.found
  const asked = consentReason(level, radius, session)
  const preview =
    asked !== undefined || level !== 'local' ? undefined : await previewCall(tool, call.input, limits)
  if (preview === undefined && asked === undefined && level === 'local') throw options.signal?.reason
  // Several objects and no way to tell beforehand what happens to them: a person looks at it.
  const reason =
    asked ??
    (preview?.failed
      ? `it would change ${'objects' in radius ? radius.objects : 'several'} objects`
      : undefined)
  const dryRun = preview?.dryRun
  options.signal?.throwIfAborted()
  if (reason === undefined) return { ...(await run(attempt)), ...(dryRun === undefined ? {} : { dryRun }) }
  const consentKey = bindConsent(attempt)
  const answer = await findAnswer(attempt, consentKey)
  if (answer?.approved === true) return run(attempt)
  if (answer?.approved === false) return errorResult(rejected(tool.name, answer))
  return ask(attempt, { consentKey, reason })
}

function bindConsent({ tool, call, scope, found }: Attempt): string {
  return consentKeyOf({
    toolName: tool.name,
    definitionHash: found.prepared.definitionHash(),
    arguments: call.arguments,
    scope,
    afterForeignText: found.session.readBefore.size > 0,
  })
}

/** A decision that came with the call, else one that a person has left in the store. Each is good for one call. */
async function findAnswer(
  { call, options, found: { session } }: Attempt,
  consentKey: string,
): Promise<PersonsAnswer | undefined> {
  const { decision } = options
  if (
    decision?.callKey === call.callKey &&
    (decision.consentKey ?? consentKey) === consentKey &&
    !session.usedDecisions.has(decision)
  ) {
    session.usedDecisions.add(decision)
    return decision
  }
  return session.effects?.store.consents.take(consentKey)
}

async function ask(
  attempt: Attempt,
  { consentKey, reason }: { readonly consentKey: string; readonly reason: string },
): Promise<Result> {
  const { tool, call, options, limits, radius, level, scope } = attempt
  const { effects, readBefore } = attempt.found.session
  const preview = await previewCall(tool, call.input, limits)
  if (preview === undefined) throw options.signal?.reason
  const backup = await findBackup(tool, call.input, limits)
  options.signal?.throwIfAborted()
  const request = makeConsentRequest(
    { tool, ...call },
    { consentKey, level, radius, reason, readBefore, preview, backup },
  )
  await effects?.store.consents.ask({
    key: consentKey,
    request,
    scope,
    ...(effects.stage === undefined ? {} : { stage: effects.stage }),
    state: 'waiting',
    askedAt: new Date().toISOString(),
  })
  return { status: 'needs_consent', text: consentText(request), request }
}

function consentText(request: ConsentRequest): string {
  return `Tool "${request.toolName}" was not executed: ${request.reason}. It waits for a person's consent. Do not call it again and do not report it as done; go on with what does not need it.`
}
