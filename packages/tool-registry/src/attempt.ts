import type { ToolCall } from '@icm/chat-model'
import { runTimed, type TimeLimits } from './call-clock.js'
import type { Radius } from './consent.js'
import { type ObservedResult, observeResult } from './observe-result.js'
import type { PreparedTool } from './prepare-tool.js'
import { noteForeignText, type SessionState } from './session-state.js'
import type { AnyTool, BlastLevel, ConsentRequest, RunCallOptions } from './types.js'
import type { UnderstoodCall } from './understand-call.js'

/** A call whose tool has been found. */
export interface FoundCall {
  readonly call: ToolCall
  readonly prepared: PreparedTool
  readonly session: SessionState
  /** How the tool's name was mended. */
  readonly nameRepair?: string | undefined
}

/** What a call comes to, besides what every outcome has. */
export type Result = Reach &
  (
    | ObservedResult
    | {
        readonly status: 'needs_consent'
        readonly text: string
        readonly plain?: string
        readonly request: ConsentRequest
      }
  )

/** How far a call reaches, as the outcome says it. */
interface Reach {
  readonly level?: BlastLevel
  readonly objects?: number
  readonly dryRun?: string
}

/** A call of which all is known but whether it may run. */
export interface Attempt {
  readonly found: FoundCall
  readonly tool: AnyTool
  readonly call: UnderstoodCall & { readonly ok: true }
  readonly options: RunCallOptions
  readonly limits: TimeLimits
  readonly radius: Radius
  readonly level: BlastLevel
  readonly scope: string
}

/** Runs the tool and turns what comes of it into text. */
export async function execute(attempt: Attempt): Promise<ObservedResult> {
  const { tool, call, options, limits, radius, found } = attempt
  const result = await runTimed<unknown>((context) => tool.run(call.input, context), limits)
  const observed = await observeResult(tool, result, {
    signal: options.signal,
    fence: options.fence,
    mayBeInDoubt: mayBeInDoubt(tool, radius),
    input: call.input,
    observations: found.session.observations,
    roots: found.session.roots,
  })
  // Without a fence the text goes to a host of its own, which keeps its own account of what its model has read.
  if (options.fence !== false) noteForeignText(found.session, tool, call.arguments)
  return observed
}

/** A read changes nothing and an idempotent tool may be called again: neither leaves an effect in doubt. */
function mayBeInDoubt(tool: AnyTool, radius: Radius): boolean {
  return tool.idempotent !== true && !('objects' in radius && radius.objects === 0)
}
