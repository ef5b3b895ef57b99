import type { StopCondition } from './types.js'

/** Stops after `count` model answers. */
export function maxSteps(count: number): StopCondition {
  return ({ steps }) => steps.length >= count && `${count} turns were used`
}

/** Stops after `count` executed tool calls. */
export function maxToolCalls(count: number): StopCondition {
  return ({ toolCalls }) => toolCalls >= count && `${count} tool calls were used`
}

/** Stops when the run has lasted `ms` milliseconds; soft: a step in hand is finished. Use `signal` for a hard limit. */
export function maxDuration(ms: number): StopCondition {
  return ({ elapsedMs }) => elapsedMs >= ms && `the time limit of ${Math.round(ms / 1000)} s was reached`
}

/** Stops when the answers of the run have taken `tokens` output tokens together. */
export function maxOutputTokens(tokens: number): StopCondition {
  return ({ outputTokens }) => outputTokens >= tokens && `the budget of ${tokens} output tokens was used`
}
