import { describeProblem, IcmError, type Problem } from '@icm/errors'
import type { TimedResult } from './call-clock.js'
import { explainFileError } from './explain-file-error.js'
import { fenceUntrusted } from './fence-untrusted.js'
import type { ObservationStore } from './observation-store.js'
import { aborted, failedTool, outcomeUnknown, timedOut, unshowableResult } from './problems.js'
import { shapeObservation } from './shape-observation.js'
import { stripHidden } from './strip-hidden.js'
import type { AnyTool, RunCallOptions, ToolProblemCode, TrimmedPart } from './types.js'

const DEFAULT_LIMIT = 2_000
/** An error says what to do at its end; a small limit must not take that away. */
const MIN_ERROR_LIMIT = 400

/** What a tool's execution comes to. `plain` is the text without fence and frame where it has one, for records. */
export type ObservedResult = { readonly text: string; readonly plain?: string } & (
  | {
      readonly status: 'ok'
      readonly trimmedCharacters: number
      readonly reference?: string
      readonly replayed?: boolean
    }
  | { readonly status: 'error' | 'in_doubt'; readonly problem: Problem<ToolProblemCode> }
)

export interface ObserveOptions {
  readonly signal?: AbortSignal | undefined
  readonly fence?: RunCallOptions['fence']
  /** Whether a lost answer leaves an effect in doubt: not for a read, and not for an idempotent tool. */
  readonly mayBeInDoubt: boolean
  readonly input: unknown
  readonly observations?: ObservationStore | undefined
  readonly roots: readonly string[]
}

/** Turns the end of an execution into text for the model. Throws `signal.reason` for an abort that left no doubt. */
export async function observeResult(
  tool: AnyTool,
  result: TimedResult<unknown>,
  options: ObserveOptions,
): Promise<ObservedResult> {
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

async function observeError(tool: AnyTool, error: unknown, options: ObserveOptions): Promise<ObservedResult> {
  if (IcmError.isInstance(error) && error.code === 'tool/outcome-unknown' && options.mayBeInDoubt) {
    return failure('in_doubt', outcomeUnknown(tool.name, error))
  }
  const problem = failedTool(tool.name, (await explainFileError(error, options.roots)) ?? error)
  if (
    IcmError.isInstance(error) &&
    error.code === 'tool/reported-error' &&
    typeof error.details.text === 'string'
  ) {
    const shown = await show(tool, error.details.text, options)
    return {
      status: 'error',
      text: `Tool "${tool.name}" reported an error:\n${shown.text}`,
      plain: shown.plain,
      problem,
    }
  }
  const limit = Math.max(tool.limit ?? DEFAULT_LIMIT, MIN_ERROR_LIMIT)
  const { text } = shapeObservation(stripHidden(describeProblem(problem)), { limit })
  return { status: 'error', text, problem }
}

async function observeValue(tool: AnyTool, value: unknown, options: ObserveOptions): Promise<ObservedResult> {
  let text: string
  try {
    text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  } catch {
    return failure('error', unshowableResult(tool.name))
  }
  if (value === null || text.trim() === '') {
    // An empty message reads like a failure (field report C03).
    const nothing = `Tool "${tool.name}" completed and returned no output.`
    return { status: 'ok', text: nothing, trimmedCharacters: 0 }
  }
  return { status: 'ok', ...(await show(tool, text, options)) }
}

/** The one place where output is cut and fenced. The limit counts the content, not the fence. */
async function show(tool: AnyTool, written: string, options: ObserveOptions) {
  const untrusted = tool.output !== 'trusted'
  const whole = untrusted ? stripHidden(written) : written
  const limit = tool.limit ?? DEFAULT_LIMIT
  const reference = whole.length > limit ? await keepWhole(tool, whole, options.observations) : undefined
  const whenTrimmed = nextStep(tool, options.input, reference)
  const summary = whole.length > limit ? tool.summarize?.(whole, options.input) : undefined
  const observation = shapeObservation(summary ?? whole, {
    limit,
    ...(whenTrimmed === undefined ? {} : { whenTrimmed }),
  })
  const fenced = untrusted && options.fence !== false
  return {
    text: fenced ? fenceUntrusted(observation.text, tool.name) : observation.text,
    plain: observation.text,
    trimmedCharacters:
      summary === undefined ? observation.trimmedCharacters : whole.length - observation.text.length,
    ...(reference === undefined ? {} : { reference }),
  }
}

/** A model can do without the whole; a full disk must not take the result away. */
async function keepWhole(
  tool: AnyTool,
  text: string,
  observations: ObservationStore | undefined,
): Promise<string | undefined> {
  try {
    return await observations?.save(tool.name, text)
  } catch {
    return undefined
  }
}

/** How to get what was cut: as the tool says, else from the kept text. */
function nextStep(tool: AnyTool, input: unknown, reference: string | undefined) {
  if (tool.nextCall !== undefined) return (cut: TrimmedPart) => tool.nextCall?.(input, cut) ?? ''
  if (tool.whenTrimmed !== undefined || reference === undefined) return tool.whenTrimmed
  return (cut: TrimmedPart) =>
    `For this part call read_observation(path="${reference}", from=${cut.fromLine}, lines=${Math.min(cut.lines, 60)}).`
}

function failure(status: 'error' | 'in_doubt', problem: Problem<ToolProblemCode>): ObservedResult {
  return { status, text: describeProblem(problem), problem }
}
