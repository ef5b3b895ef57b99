import type { ToolCall } from '@icm/chat-model'
import { describeProblem, type Problem } from '@icm/errors'
import { runTimed, type TimeLimits } from './call-clock.js'
import { computeRadius, consentReason, makeConsentRequest, type Radius } from './consent.js'
import { type ObservedResult, observeResult } from './observe-result.js'
import type { PreparedTool } from './prepare-tool.js'
import { rejected } from './problems.js'
import type { AnyTool, ConsentRequest, RunCallOptions, ToolOutcome, ToolProblemCode } from './types.js'
import { type UnderstoodCall, understandCall } from './understand-call.js'

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_DURATION_FACTOR = 10
const MAX_TIMER_MS = 2_147_483_647

/** A call whose tool has been found. */
export interface FoundCall {
  readonly call: ToolCall
  readonly prepared: PreparedTool
  readonly consentAt: number
  /** How the tool's name was mended. */
  readonly nameRepair?: string | undefined
}

/** Runs a call of a known tool: arguments, consent, execution, observation. Throws only `signal.reason`. */
export async function runCall(found: FoundCall, options: RunCallOptions): Promise<ToolOutcome> {
  const startedAt = performance.now()
  const { call, prepared, nameRepair } = found
  const understood = await understandCall(prepared, call)
  options.signal?.throwIfAborted()
  const result = understood.ok
    ? await decideAndExecute(found, understood, options)
    : errorResult(understood.problem)
  return {
    callId: call.id,
    callKey: understood.callKey,
    toolName: prepared.tool.name,
    durationMs: performance.now() - startedAt,
    repairs: nameRepair === undefined ? understood.repairs : [nameRepair, ...understood.repairs],
    ...result,
  }
}

type Result =
  | ObservedResult
  | { readonly status: 'needs_consent'; readonly text: string; readonly request: ConsentRequest }

async function decideAndExecute(
  { prepared: { tool }, consentAt }: FoundCall,
  call: UnderstoodCall & { readonly ok: true },
  options: RunCallOptions,
): Promise<Result> {
  const decision = options.decision?.callKey === call.callKey ? options.decision : undefined
  if (decision?.approved === false) return errorResult(rejected(tool.name, decision))
  const limits = timeLimits(tool, options)
  const radius = await computeRadius(tool, call.input, limits)
  if (radius === 'aborted') throw options.signal?.reason
  const reason = consentReason(tool, radius, consentAt)
  if (reason !== undefined && decision?.approved !== true) {
    const request = await makeConsentRequest({ tool, ...call }, radius, reason, limits)
    if (request === undefined) throw options.signal?.reason
    return { status: 'needs_consent', text: consentText(request), request }
  }
  const result = await runTimed<unknown>((context) => tool.run(call.input, context), limits)
  const { signal, fence } = options
  return observeResult(tool, result, { signal, fence, mayBeInDoubt: mayBeInDoubt(tool, radius) })
}

/** A read changes nothing and an idempotent tool may be called again: neither leaves an effect in doubt. */
function mayBeInDoubt(tool: AnyTool, radius: Exclude<Radius, 'aborted'>): boolean {
  return tool.idempotent !== true && !('objects' in radius && radius.objects === 0)
}

function consentText(request: ConsentRequest): string {
  return `Tool "${request.toolName}" was not executed: ${request.reason}. It waits for a person's consent. Do not call it again and do not report it as done; go on with what does not need it.`
}

/** An error that the model reads. */
export function errorResult(problem: Problem<ToolProblemCode>) {
  return { status: 'error', text: describeProblem(problem), problem } as const
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
