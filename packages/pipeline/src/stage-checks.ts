import {
  estimateTokens,
  type LoadProblem,
  resolveOutputs,
  type StageContext,
  type Workspace,
} from '@icm/context-loader'
import { PipelineError } from './errors.js'

/** Room that a stage's prompt must leave for the answer, in tokens. */
const smallestAnswer = 256

/** Throws `pipeline/stage-not-ready` with everything that keeps a stage from starting: inputs, items, outputs. */
export async function refuseIfNotReady(workspace: Workspace, context: StageContext): Promise<void> {
  const outputs = await resolveOutputs(workspace, context.stage, context.contract)
  const templated = outputs.problems.filter((problem) => problem.code === 'context/templated-output')
  const problems = [...context.problems, ...outputs.problems]
  const errors = [...problems.filter((problem) => problem.severity === 'error'), ...templated]
  const [first] = errors
  if (first === undefined) return
  throw new PipelineError({
    code: 'pipeline/stage-not-ready',
    what: `Stage ${context.stage.name} was not started. ${errors.map(placeAndWhat).join(' ')}`,
    why: first.why,
    instead: [...new Set(errors.map((problem) => problem.instead))].join(' '),
    details: { problems: errors.map(({ code, path, line, what }) => ({ code, path, line, what })) },
  })
}

/** Throws `pipeline/context-too-large` when a prompt would leave no room for an answer. */
export function refuseIfTooLarge(
  context: StageContext,
  window: number | undefined,
  toolTokens: number,
): void {
  if (window === undefined) return
  const largestItem = Math.max(0, ...context.items.map((item) => estimateTokens(item.body)))
  const needed = context.tokens + toolTokens + largestItem
  if (needed + smallestAnswer <= window) return
  const largest = [...context.parts].sort((left, right) => right.tokens - left.tokens).slice(0, 3)
  throw new PipelineError({
    code: 'pipeline/context-too-large',
    what: `Stage ${context.stage.name} was not started: its prompt takes about ${needed} tokens, and the window has ${window}.`,
    why: `At least ${smallestAnswer} tokens must be left for the answer; a server would cut the prompt silently.`,
    instead: `Load less (largest: ${largest.map((part) => `${part.label} ${part.tokens}`).join(', ')}), name sections in the contract, or raise [model] context_window.`,
    details: { needed, window },
  })
}

/** What a person should know before a stage starts, one line each. */
export function warningsOf(context: StageContext): readonly string[] {
  return [
    ...context.problems
      .filter((problem) => problem.severity === 'warning')
      .map((problem) => `${placeAndWhat(problem)} ${problem.instead}`),
    ...context.dropped.map((part) => `${part.label}: ${part.reason}`),
    ...context.skippedSections.map(
      (heading) => `"${heading}" is no ${context.contract.forEach?.item ?? 'item'} and is left out`,
    ),
  ]
}

function placeAndWhat(problem: LoadProblem): string {
  return `${problem.path}:${problem.line}: ${problem.what}`
}
