import { describeProblem, IcmError, type Problem } from '@icm/errors'
import type { TimedResult } from './call-clock.js'
import { fenceUntrusted } from './fence-untrusted.js'
import { aborted, failedTool, outcomeUnknown, timedOut, unshowableResult } from './problems.js'
import { type Observation, shapeObservation } from './shape-observation.js'
import { stripHidden } from './strip-hidden.js'
import type { AnyTool, RunCallOptions, ToolProblemCode } from './types.js'

const DEFAULT_LIMIT = 2_000
/** An error says what to do at its end; a small limit must not take that away. */
const MIN_ERROR_LIMIT = 400

/** What a tool's execution comes to. */
export type ObservedResult =
  | { readonly status: 'ok'; readonly text: string; readonly trimmedCharacters: number }
  | {
      readonly status: 'error' | 'in_doubt'
      readonly text: string
      readonly problem: Problem<ToolProblemCode>
    }

export interface ObserveOptions {
  readonly signal?: AbortSignal | undefined
  readonly fence?: RunCallOptions['fence']
  /** Whether a lost answer leaves an effect in doubt: not for a read, and not for an idempotent tool. */
  readonly mayBeInDoubt: boolean
}

/** Turns the end of an execution into text for the model. Throws `signal.reason` for an abort that left no doubt. */
export function observeResult(
  tool: AnyTool,
  result: TimedResult<unknown>,
  options: ObserveOptions,
): ObservedResult {
  switch (result.end) {
    case 'aborted':
      if (!options.mayBeInDoubt) throw options.signal?.reason
      return failure('in_doubt', aborted(tool.name))
    case 'timed-out': {
      const status = options.mayBeInDoubt ? 'in_doubt' : 'error'
      return failure(status, timedOut(tool.name, result.limitMs, options.mayBeInDoubt))
    }
    case 'threw':
      // The caller's abort and the tool's own rejection race; the caller's wish decides (field report F18).
      if (options.signal?.aborted) return observeResult(tool, { end: 'aborted' }, options)
      return observeError(tool, result.error, options)
    case 'done':
      return observeValue(tool, result.value, options)
  }
}

function observeError(tool: AnyTool, error: unknown, options: ObserveOptions): ObservedResult {
  if (IcmError.isInstance(error) && error.code === 'tool/outcome-unknown' && options.mayBeInDoubt) {
    return failure('in_doubt', outcomeUnknown(tool.name, error))
  }
  const problem = failedTool(tool.name, error)
  if (
    IcmError.isInstance(error) &&
    error.code === 'tool/reported-error' &&
    typeof error.details.text === 'string'
  ) {
    const shown = show(tool, error.details.text, options)
    return { status: 'error', text: `Tool "${tool.name}" reported an error:\n${shown.text}`, problem }
  }
  const limit = Math.max(tool.limit ?? DEFAULT_LIMIT, MIN_ERROR_LIMIT)
  return {
    status: 'error',
    text: shapeObservation(stripHidden(describeProblem(problem)), { limit }).text,
    problem,
  }
}

function observeValue(tool: AnyTool, value: unknown, options: ObserveOptions): ObservedResult {
  let text: string
  try {
    text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  } catch {
    return failure('error', unshowableResult(tool.name))
  }
  if (value === null || text.trim() === '') {
    // An empty message reads like a failure (field report C03).
    return {
      status: 'ok',
      text: `Tool "${tool.name}" completed and returned no output.`,
      trimmedCharacters: 0,
    }
  }
  return { status: 'ok', ...show(tool, text, options) }
}

/** The one place where output is cut and fenced. The limit counts the content, not the fence. */
function show(tool: AnyTool, text: string, options: ObserveOptions): Observation {
  const untrusted = tool.output !== 'trusted'
  const observation = shapeObservation(untrusted ? stripHidden(text) : text, {
    limit: tool.limit ?? DEFAULT_LIMIT,
    ...(tool.whenTrimmed === undefined ? {} : { whenTrimmed: tool.whenTrimmed }),
  })
  if (!untrusted || options.fence === false) return observation
  return { ...observation, text: fenceUntrusted(observation.text, tool.name) }
}

function failure(status: 'error' | 'in_doubt', problem: Problem<ToolProblemCode>): ObservedResult {
  return { status, text: describeProblem(problem), problem }
}
