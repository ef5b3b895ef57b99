import { IcmError } from '@icm/errors'
import { type Attempt, execute, type FoundCall, type Result } from './attempt.js'
import type { TimeLimits } from './call-clock.js'
import { blastLevel, computeRadius } from './consent.js'
import { errorResult, failedTool, rejected } from './problems.js'
import { runEffect } from './run-effect.js'
import { runWithConsent } from './run-with-consent.js'
import type { AnyTool, RunCallOptions, ToolOutcome } from './types.js'
import { type UnderstoodCall, understandCall } from './understand-call.js'

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_DURATION_FACTOR = 10
const MAX_TIMER_MS = 2_147_483_647

/** Runs a call of a known tool: arguments, consent, execution, observation. Throws only `signal.reason`. */
export async function runCall(found: FoundCall, options: RunCallOptions): Promise<ToolOutcome> {
  const startedAt = performance.now()
  const { call, prepared, nameRepair } = found
  const understood = await understandCall(prepared, call)
  options.signal?.throwIfAborted()
  const { plain: _, ...result } = understood.ok
    ? await decideOrFail(found, understood, options)
    : { plain: '', ...errorResult(understood.problem) }
  return {
    callId: call.id,
    callKey: understood.callKey,
    toolName: prepared.tool.name,
    durationMs: performance.now() - startedAt,
    repairs: nameRepair === undefined ? understood.repairs : [nameRepair, ...understood.repairs],
    ...result,
  }
}

/** What fails around a call, such as the store of effects, is told like what fails in it. */
async function decideOrFail(
  found: FoundCall,
  call: UnderstoodCall & { readonly ok: true },
  options: RunCallOptions,
): Promise<Result> {
  try {
    return await decideAndExecute(found, call, options)
  } catch (error) {
    if (options.signal?.aborted || !IcmError.isInstance(error)) throw error
    return errorResult(failedTool(found.prepared.tool.name, error))
  }
}

async function decideAndExecute(
  found: FoundCall,
  call: UnderstoodCall & { readonly ok: true },
  options: RunCallOptions,
): Promise<Result> {
  const { tool } = found.prepared
  const { consentAt, effects } = found.session
  const decision = options.decision?.callKey === call.callKey ? options.decision : undefined
  if (decision?.approved === false) return errorResult(rejected(tool.name, decision))
  const limits = timeLimits(tool, options)
  const radius = await computeRadius(tool, call.input, limits)
  if (radius === undefined) throw options.signal?.reason
  const level = blastLevel(tool, radius, consentAt)
  // What cannot be undone is not repeated in the next run of the workspace either.
  const scope = (level === 'irreversible' ? effects?.workspace : undefined) ?? effects?.run ?? ''
  const attempt: Attempt = { found, tool, call, options, limits, radius, level, scope }
  // A read, or a call that may be made again, needs no memory.
  const remembered = effects !== undefined && level !== 'none' && tool.idempotent !== true
  const result = remembered ? await runEffect(attempt, effects) : await runWithConsent(attempt, execute)
  return { level, ...('objects' in radius ? { objects: radius.objects } : {}), ...result }
}

function timeLimits(tool: AnyTool, options: RunCallOptions): TimeLimits {
  const timeoutMs = tool.timeoutMs ?? DEFAULT_TIMEOUT_MS
  return {
    timeoutMs,
    maxDurationMs: tool.maxDurationMs ?? Math.min(timeoutMs * DEFAULT_DURATION_FACTOR, MAX_TIMER_MS),
    signal: options.signal,
    onProgress: options.onProgress,
  }
}
