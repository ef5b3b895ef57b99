import { estimateTokens, type LoadProblem, type StageContext, type Workspace } from '@icm/context-loader'
import { PipelineError } from './errors.js'
import type { StageOutputs } from './stage-outputs.js'
import { workspaceFaults } from './workspace-faults.js'

/** Room that a stage's prompt must leave for the answer, in tokens. */
const smallestAnswer = 256

/** Everything that keeps a stage from starting: the workspace, its contract, inputs, items, outputs. Empty: it can. */
export function stageFaults(
  workspace: Workspace,
  context: StageContext,
  outputs: StageOutputs,
): readonly LoadProblem[] {
  return [
    ...workspaceFaults(workspace, context.stage),
    ...context.problems.filter((problem) => problem.severity === 'error'),
    ...outputs.faults,
  ]
}

/** Throws `pipeline/stage-not-ready` with all that keeps a stage from starting. */
export function refuseIfFaulty(stage: string, faults: readonly LoadProblem[]): void {
  const [first] = faults
  if (first === undefined) return
  throw new PipelineError({
    code: 'pipeline/stage-not-ready',
    what: `Stage ${stage} was not started. ${faults.map(placeAndWhat).join(' ')}`,
    why: first.why,
    instead: [...new Set(faults.map((problem) => problem.instead))].join(' '),
    details: { problems: faults.map(({ code, path, line, what }) => ({ code, path, line, what })) },
  })
}

/** Throws `pipeline/context-too-large` when a prompt would leave no room for an answer. */
export function refuseIfTooLarge(
  context: StageContext,
  window: number | undefined,
  tools: { readonly count: number; readonly tokens: number },
): void {
  if (window === undefined) return
  const largestItem = Math.max(0, ...context.items.map((item) => estimateTokens(item.body)))
  const needed = context.tokens + tools.tokens + largestItem
  if (needed + smallestAnswer <= window) return
  const pieces = [
    ...context.parts.map(({ label, tokens }) => ({ label, tokens })),
    { label: `the schemas of ${tools.count} tools`, tokens: tools.tokens },
    { label: `the largest ${context.contract.forEach?.item ?? 'item'}`, tokens: largestItem },
  ]
  const largest = pieces
    .sort((left, right) => right.tokens - left.tokens)
    .slice(0, 3)
    .filter(({ tokens }) => tokens > 0)
  throw new PipelineError({
    code: 'pipeline/context-too-large',
    what: `Stage ${context.stage.name} was not started: its prompt takes about ${needed} tokens, and the window has ${window}.`,
    why: `At least ${smallestAnswer} tokens must be left for the answer; a server would cut the prompt silently.`,
    instead: `Load less (largest: ${largest.map((part) => `${part.label} ${part.tokens}`).join(', ')}), name sections or single tools in the contract, or raise [model] context_window.`,
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
