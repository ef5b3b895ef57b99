import { describeProblem, IcmError, nearestName, type Problem } from '@icm/errors'
import type { ObjectShape, ValidationIssue } from '@icm/json-schema'
import { describeSignature, describeType } from './describe-parameters.js'
import type { EffectRecord, PersonsAnswer } from './effect-store.js'
import type { ToolProblemCode } from './types.js'

type ToolProblem = Problem<ToolProblemCode>

const MAX_LISTED_NAMES = 40
const MAX_ISSUES = 5

/** No visible tool has that name; the nearest and the allowed names are said. */
export function unknownTool(called: string, visible: readonly string[]): ToolProblem {
  const nearest = nearestName(called.slice(0, 80), visible)
  const listed = visible.slice(0, MAX_LISTED_NAMES).join(', ')
  const more = visible.length > MAX_LISTED_NAMES ? ` and ${visible.length - MAX_LISTED_NAMES} more` : ''
  const hint = nearest === undefined ? '' : `Did you mean ${nearest}? `
  return {
    code: 'tool/unknown',
    what: `Tool ${shown(called)} was not called.`,
    why: 'No tool that is available here has that name.',
    instead:
      visible.length === 0
        ? 'No tools are available: answer without them.'
        : `${hint}Call one of: ${listed}${more}.`,
  }
}

/** The arguments could not even be read. */
export function unreadableArguments(toolName: string, fault: string, shape: ObjectShape): ToolProblem {
  return {
    code: 'tool/bad-arguments',
    what: `Tool "${toolName}" was not called.`,
    why: fault,
    instead: `Call ${toolName} again with one JSON object: ${describeSignature(shape)}.`,
  }
}

/** What was understood of arguments that are wrong. */
export interface BadArguments {
  readonly values: Record<string, unknown>
  readonly issues: readonly ValidationIssue[]
  readonly shape: ObjectShape
  readonly repairs: readonly string[]
}

/** The arguments were read and are wrong: each missing or wrong parameter, what was given, what is expected. */
export function badArguments(
  toolName: string,
  { values, issues, shape, repairs }: BadArguments,
): ToolProblem {
  const missing = shape.required.filter((name) => values[name] === undefined)
  const missingFaults = missing.map(
    (name) => `"${name}" is missing; expected ${describeType(shape.properties.get(name))}.`,
  )
  const others = issues.filter(
    (issue) => !missing.some((name) => issue.path === name || isAboutMissing(issue, name)),
  )
  const otherFaults = others.map((issue) => describeIssue(issue, values, shape))
  const dropped = missing.length === 0 ? [] : repairs.filter((repair) => repair.includes('dropped'))
  return {
    code: 'tool/bad-arguments',
    what: `Tool "${toolName}" was not called: its arguments are wrong.`,
    why: [...missingFaults, ...otherFaults]
      .slice(0, MAX_ISSUES)
      .concat(dropped.slice(0, MAX_ISSUES))
      .join(' '),
    instead: `Call ${toolName} again with ${describeSignature(shape)}.`,
  }
}

function isAboutMissing(issue: ValidationIssue, name: string): boolean {
  return issue.path === '' && issue.message.includes(`required property '${name}'`)
}

function describeIssue(issue: ValidationIssue, values: Record<string, unknown>, shape: ObjectShape): string {
  if (issue.path === '') return `${sentence(issue.message)}`
  const name = issue.path.split(/[.[]/, 1)[0] ?? issue.path
  const expected = shape.properties.get(name)
  if (issue.path !== name || !Object.hasOwn(values, name))
    return `"${issue.path}": ${sentence(issue.message)}`
  return `"${name}" was given ${shown(values[name])}; expected ${describeType(expected)} (${issue.message}).`
}

/** A tool threw. Its own what/why/instead is shown; of any other error one line, never the stack. */
export function failedTool(toolName: string, error: unknown): ToolProblem {
  if (IcmError.isInstance(error)) {
    return {
      code: 'tool/failed',
      what: error.what,
      why: error.why,
      instead: error.instead,
      details: { cause: error.code },
    }
  }
  const message = error instanceof Error ? error.message : String(error)
  const line =
    message
      .trim()
      .split('\n', 1)[0]
      ?.slice(0, 300)
      .replace(/[\ud800-\udbff]$/, '') ?? ''
  return {
    code: 'tool/failed',
    what: `Tool "${toolName}" failed${line === '' ? '' : `: ${sentence(line)}`}${line === '' ? '.' : ''}`,
    why: 'The tool itself reported this; the call was made.',
    instead: 'Change the arguments if they caused it, or go on without this result.',
  }
}

/** A tool returned what cannot become text. */
export function unshowableResult(toolName: string): ToolProblem {
  return {
    code: 'tool/failed',
    what: `Tool "${toolName}" ran, but its result cannot be shown.`,
    why: 'It is neither text nor JSON.',
    instead: 'Do not call it again with these arguments; go on without this result.',
  }
}

/** The time was up before the tool answered. */
export function timedOut(toolName: string, limitMs: number, inDoubt: boolean): ToolProblem {
  return {
    code: 'tool/timed-out',
    what: `Tool "${toolName}" did not answer within ${limitMs / 1000} s.`,
    why: inDoubt ? 'Whether it took effect is not known.' : 'The call was stopped at its time limit.',
    instead: inDoubt
      ? DO_NOT_REPEAT
      : 'Ask for less at once (at most 50 items), or go on without this result.',
  }
}

/** The caller stopped a call that may have taken effect. */
export function aborted(toolName: string): ToolProblem {
  return {
    code: 'tool/aborted',
    what: `Tool "${toolName}" was interrupted while it ran.`,
    why: 'Whether it took effect is not known.',
    instead: DO_NOT_REPEAT,
  }
}

/** The call was sent and its answer got lost. */
export function outcomeUnknown(toolName: string, error: IcmError): ToolProblem {
  return {
    code: 'tool/failed',
    what: `Tool "${toolName}" gave no answer: ${error.what}`,
    why: 'Whether it took effect is not known.',
    instead: DO_NOT_REPEAT,
  }
}

/** A person said no. */
export function rejected(toolName: string, decision: PersonsAnswer): ToolProblem {
  const note = decision.note?.trim()
  return {
    code: 'tool/rejected',
    what: `Tool "${toolName}" was not executed.`,
    why: note ? `A person rejected this call and wrote: ${sentence(note)}` : 'A person rejected this call.',
    instead: 'Do not repeat it. Go on without it, and do not report it as done.',
  }
}

/** An equal call was sent before and nobody knows what came of it. */
export function effectInDoubt(toolName: string, record: EffectRecord): ToolProblem {
  const stage = record.stage === undefined ? '' : ` in stage ${record.stage}`
  return {
    code: 'tool/in-doubt',
    what: `Tool "${toolName}" was not called: the same call was sent at ${record.sentAt}${stage}, and no result came back.`,
    why: 'Whether it took effect is not known.',
    instead: DO_NOT_REPEAT,
  }
}

/** A person said that an effect in doubt is not to be tried again. */
export function effectDeclined(toolName: string, record: EffectRecord): ToolProblem {
  const note = record.note?.trim()
  return {
    code: 'tool/rejected',
    what: `Tool "${toolName}" was not called: the same call was sent at ${record.sentAt}.`,
    why: note
      ? `A person decided that it is not repeated, and wrote: ${sentence(note)}`
      : 'A person decided that it is not repeated.',
    instead: 'Go on without it, and do not report it as done.',
  }
}

/** An equal call is running and has not ended in time. */
export function effectInProgress(toolName: string, holder: string): ToolProblem {
  return {
    code: 'tool/in-progress',
    what: `Tool "${toolName}" was not called: the same call is being made by ${holder}.`,
    why: 'One effect happens once.',
    instead: 'Go on with what does not need it, and call it again later for its result.',
  }
}

/** Ends the text of an effect that happened and could not be put down. */
export function notRecorded(error: unknown): string {
  const cause = IcmError.isInstance(error) ? `${error.what} ${error.why}` : String(error)
  return `[This result could not be recorded: ${sentence(cause)} After a restart the call will be in doubt.]`
}

/** An error that the model reads. */
export function errorResult(problem: Problem<ToolProblemCode>) {
  return { status: 'error', text: describeProblem(problem), problem } as const
}

const DO_NOT_REPEAT = 'Do not call it again; say in your answer that its effect is unknown. A person decides.'

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= 100 ? text : `${text.slice(0, 99).replace(/[\ud800-\udbff]$/, '')}…`
}
