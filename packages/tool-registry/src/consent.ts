import { IcmError, type JsonObject } from '@icm/errors'
import { hashJson } from '@icm/json-schema'
import { runTimed, type TimedResult, type TimeLimits } from './call-clock.js'
import { shapeObservation } from './shape-observation.js'
import { stripHidden } from './strip-hidden.js'
import type { AnyTool, BlastLevel, ConsentRequest } from './types.js'

/** What a call would touch: a number, or why it is not known. */
export type Radius = { readonly objects: number } | { readonly unknown: string }

/** From how many objects on a call needs a dry run. */
const LOCAL_FROM = 2
const DRY_RUN_LIMIT = 2_000

/**
 * Asks the tool how many objects this call would change; undefined when the caller aborted. Whatever is not a whole
 * number from 0 is unknown.
 */
export async function computeRadius(
  tool: AnyTool,
  input: unknown,
  limits: TimeLimits,
): Promise<Radius | undefined> {
  const { blastRadius } = tool
  if (blastRadius === undefined) return { unknown: 'the tool does not declare how much it changes' }
  const result = await runTimed((context) => tool.blastRadius?.(input, context), limits)
  if (result.end === 'aborted') return undefined
  // A computed error says what is wrong with the call: the model mends that, no person need look at it.
  if (result.end === 'threw' && IcmError.isInstance(result.error)) throw result.error
  if (result.end !== 'done') return { unknown: 'working out how much it changes failed' }
  const objects = result.value
  if (
    objects === undefined ||
    !(Number.isInteger(objects) || objects === Number.POSITIVE_INFINITY) ||
    objects < 0
  ) {
    return { unknown: `the tool gave ${String(objects)} as the number of objects that it changes` }
  }
  return { objects }
}

/** The level of a call. What cannot be undone counts as such whatever its number. */
export function blastLevel(tool: AnyTool, radius: Radius, consentAt: number): BlastLevel {
  if (tool.irreversible === true) return 'irreversible'
  if ('unknown' in radius) return 'unknown'
  if (radius.objects === 0) return 'none'
  if (radius.objects >= consentAt) return 'wide'
  return radius.objects >= LOCAL_FROM ? 'local' : 'point'
}

/** Why a call may not run without a person's consent, or undefined when it may. */
export function consentReason(
  level: BlastLevel,
  radius: Radius,
  { consentAt, readBefore }: { readonly consentAt: number; readonly readBefore: Iterable<string> },
): string | undefined {
  if (level === 'none') return undefined
  const sources = [...readBefore]
  const after = sources.length === 0 ? '' : `it was requested after reading ${sources.join(', ')}`
  const reason = reasonOf(level, radius, consentAt)
  if (reason === undefined) return after === '' ? undefined : after
  return after === '' ? reason : `${reason}; ${after}`
}

function reasonOf(level: BlastLevel, radius: Radius, consentAt: number): string | undefined {
  if (level === 'irreversible') return 'it cannot be undone'
  if ('unknown' in radius) return radius.unknown
  if (level !== 'wide') return undefined
  return `it would change ${radius.objects} objects, and from ${consentAt} on a person decides`
}

/** What a call would do, as the tool says; `failed` when it cannot. Undefined when the caller aborted. */
export async function previewCall(
  tool: AnyTool,
  input: unknown,
  limits: TimeLimits,
): Promise<{ readonly dryRun?: string; readonly failed: boolean } | undefined> {
  if (tool.dryRun === undefined) return { failed: false }
  const result = await runTimed((context) => tool.dryRun?.(input, context) ?? '', limits)
  if (result.end === 'aborted') return undefined
  return result.end === 'done' ? { dryRun: shownPlainly(result.value), failed: false } : { failed: true }
}

/** Where what a call would change can be had back; a tool that fails to say has no backup. */
export async function findBackup(
  tool: AnyTool,
  input: unknown,
  limits: TimeLimits,
): Promise<string | undefined> {
  if (tool.backup === undefined) return undefined
  const result: TimedResult<string | undefined> = await runTimed(
    (context) => tool.backup?.(input, context),
    limits,
  )
  return result.end === 'done' && result.value !== undefined ? shownPlainly(result.value) : undefined
}

function shownPlainly(text: unknown): string {
  return shapeObservation(stripHidden(String(text)), { limit: DRY_RUN_LIMIT }).text
}

/** What a consent is bound to. */
export interface ConsentBinding {
  readonly toolName: string
  readonly definitionHash: string
  readonly arguments: JsonObject
  readonly scope: string
  /** A consent from before foreign text was read does not count afterwards. */
  readonly afterForeignText: boolean
}

/** 16 hex digits that change with whatever a consent is bound to. */
export function consentKeyOf(binding: ConsentBinding): string {
  return hashJson(['consent', binding]).slice(0, 16)
}

/** Puts together what a person must see. A dry run that fails is said, not hidden. */
export function makeConsentRequest(
  call: { readonly tool: AnyTool; readonly callKey: string; readonly arguments: JsonObject },
  asked: {
    readonly consentKey: string
    readonly level: BlastLevel
    readonly radius: Radius
    readonly reason: string
    readonly readBefore: Iterable<string>
    readonly preview: { readonly dryRun?: string; readonly failed: boolean }
    readonly backup: string | undefined
  },
): ConsentRequest {
  const { radius, preview, backup } = asked
  return {
    callKey: call.callKey,
    consentKey: asked.consentKey,
    toolName: call.tool.name,
    arguments: call.arguments,
    level: asked.level,
    ...('objects' in radius && Number.isFinite(radius.objects) ? { objects: radius.objects } : {}),
    irreversible: call.tool.irreversible === true,
    ...(preview.dryRun === undefined ? {} : { dryRun: preview.dryRun }),
    hasDryRun: preview.dryRun !== undefined,
    ...(backup === undefined ? {} : { backup }),
    readBefore: [...asked.readBefore],
    reason: preview.failed ? `${asked.reason}; its dry run failed` : asked.reason,
  }
}
