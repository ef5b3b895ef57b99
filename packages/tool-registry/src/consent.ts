import type { JsonObject } from '@icm/errors'
import { runTimed, type TimeLimits } from './call-clock.js'
import { shapeObservation } from './shape-observation.js'
import { stripHidden } from './strip-hidden.js'
import type { AnyTool, ConsentRequest, ToolContext } from './types.js'

/** What a call would touch: a number, or why it is not known. */
export type Radius = { readonly objects: number } | { readonly unknown: string } | 'aborted'

const DRY_RUN_LIMIT = 2_000

/** Asks the tool how many objects this call would change. Whatever is not a whole number from 0 is unknown. */
export async function computeRadius(tool: AnyTool, input: unknown, limits: TimeLimits): Promise<Radius> {
  if (tool.blastRadius === undefined) return { unknown: 'the tool does not declare how much it changes' }
  const result = await runTimed(async (context) => tool.blastRadius?.(input, context), limits)
  if (result.end === 'aborted') return 'aborted'
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

/** Why a call may not run without a person's consent, or undefined when it may. */
export function consentReason(
  tool: AnyTool,
  radius: Exclude<Radius, 'aborted'>,
  consentAt: number,
): string | undefined {
  if (tool.irreversible === true) return 'it cannot be undone'
  if ('unknown' in radius) return radius.unknown
  if (radius.objects < consentAt) return undefined
  return `it would change ${radius.objects} objects, and from ${consentAt} on a person decides`
}

/** Puts together what a person must see; undefined when the caller aborted. A dry run that fails is said, not hidden. */
export async function makeConsentRequest(
  call: {
    readonly tool: AnyTool
    readonly input: unknown
    readonly callKey: string
    readonly arguments: JsonObject
  },
  radius: Exclude<Radius, 'aborted'>,
  reason: string,
  limits: TimeLimits,
): Promise<ConsentRequest | undefined> {
  const { tool } = call
  const dryRun = tool.dryRun === undefined ? undefined : await runTimed(askDryRun(tool, call.input), limits)
  if (dryRun?.end === 'aborted') return undefined
  return {
    callKey: call.callKey,
    toolName: tool.name,
    arguments: call.arguments,
    ...('objects' in radius && Number.isFinite(radius.objects) ? { objects: radius.objects } : {}),
    irreversible: tool.irreversible === true,
    ...(dryRun?.end === 'done'
      ? { dryRun: shapeObservation(stripHidden(String(dryRun.value)), { limit: DRY_RUN_LIMIT }).text }
      : {}),
    reason: dryRun === undefined || dryRun.end === 'done' ? reason : `${reason}; its dry run failed`,
  }
}

function askDryRun(tool: AnyTool, input: unknown) {
  return async (context: ToolContext) => tool.dryRun?.(input, context) ?? ''
}
