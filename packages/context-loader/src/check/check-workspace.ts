import type { ContractInput, StageContract } from '@icm/contract-parser'
import { declaredOutputs } from '../declared-outputs.js'
import { snapshotWorkspace } from '../observe-files.js'
import type { LoadProblem, StageContext, StageRef, Workspace } from '../types.js'
import { shownPath } from '../workspace-paths.js'
import { checkCase } from './check-case.js'
import { checkHandOffs } from './check-hand-offs.js'
import { checkPlaceholders } from './check-placeholders.js'
import { checkRouting } from './check-routing.js'
import { checkStage, type StageCheck } from './check-stage.js'
import { checkTools, type KnownServers } from './check-tools.js'

export interface CheckWorkspaceOptions {
  /** The tool servers that there are. Without it servers are not checked, only tools against the contracts. */
  readonly servers?: KnownServers
  /** Tokens that system and user text of a stage, with its largest item, may take. Default: no limit. */
  readonly budget?: number
  /** Default: `estimateTokens`. */
  readonly countTokens?: (text: string) => number
  /** Ends the check between two stages; its reason is thrown as it is. */
  readonly signal?: AbortSignal
}

/**
 * What an input came to: `pending` waits for an earlier stage, `absent` is optional, `no-file` is a person, a command or
 * prose.
 */
export type InputStatus =
  | 'found'
  | 'pending'
  | 'absent'
  | 'missing'
  | 'ambiguous'
  | 'outside'
  | 'external'
  | 'unreadable'
  | 'no-file'

export interface CheckedInput {
  readonly input: ContractInput
  readonly status: InputStatus
  /** The files or folders that it names, relative to the workspace. */
  readonly paths: readonly string[]
  /** The stage that writes it. */
  readonly producer?: string
  /** The path that was probably meant, as this contract would write it. */
  readonly nearest?: string
}

export interface CheckedStage {
  readonly stage: StageRef
  readonly contract: StageContract
  readonly inputs: readonly CheckedInput[]
  /** Relative to the workspace, placeholders as they are. */
  readonly outputs: readonly string[]
  /** The context as it would be loaded now. */
  readonly context: StageContext
}

export interface WorkspaceCheck {
  /** In running order. */
  readonly stages: readonly CheckedStage[]
  /** Workspace files first, then contracts in running order, then references; each by line and column. */
  readonly problems: readonly LoadProblem[]
}

/**
 * Checks a whole workspace: its folders, every contract, every path, the hand-offs between stages, tools, placeholders and
 * names. Reads only, each file once; calls no model and starts no server. Every code is explained in docs/check.md.
 */
export async function checkWorkspace(
  workspace: Workspace,
  options: CheckWorkspaceOptions = {},
): Promise<WorkspaceCheck> {
  const snapshot = snapshotWorkspace(workspace)
  const declared = await declaredOutputs(snapshot)
  const checks: StageCheck[] = []
  for (const stage of workspace.stages) {
    options.signal?.throwIfAborted()
    checks.push(await checkStage(snapshot, stage, declared, options))
  }
  const handOffs = checkHandOffs(snapshot, checks, declared)
  const problems = [
    ...workspace.problems,
    ...checks.flatMap((check) => check.problems).filter((problem) => !handOffs.replaced.has(problem)),
    ...handOffs.problems,
    ...(await checkCase(snapshot, checks, declared)),
    ...(await checkRouting(snapshot)),
    ...(await checkPlaceholders(snapshot, checks)),
    ...(await checkTools(snapshot, checks, options.servers)),
  ]
  return {
    stages: checks.map(({ stage, contract, inputs, outputs, context }) => ({
      stage,
      contract,
      inputs: inputs.map(({ writers: _, candidates: __, ...input }) => input),
      outputs,
      context,
    })),
    problems: inOrder(workspace, problems.filter(onceForEachName())),
  }
}

/** One value under [placeholders] settles all outputs with that name: it is asked for once. */
function onceForEachName(): (problem: LoadProblem) => boolean {
  const asked = new Set<unknown>()
  return ({ code, details }) => {
    if (code !== 'context/templated-output') return true
    const news = !asked.has(details?.placeholder)
    asked.add(details?.placeholder)
    return news
  }
}

function inOrder(workspace: Workspace, problems: readonly LoadProblem[]): LoadProblem[] {
  const contracts = new Map(
    workspace.stages.map((stage, index) => [shownPath(workspace, stage.contractPath), index]),
  )
  const layers = new Set(
    [workspace.identityPath, workspace.routingPath].map((path) => path && shownPath(workspace, path)),
  )
  const rank = (path: string) =>
    layers.has(path) ? -1 : (contracts.get(path) ?? (path.includes('/') ? contracts.size : -1))
  const seen = new Set<string>()
  return problems
    .filter((problem) => {
      const key = JSON.stringify([problem.path, problem.line, problem.column, problem.code, problem.what])
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
    .map((problem, index) => ({ problem, index, rank: rank(problem.path) }))
    .sort(
      (left, right) =>
        left.rank - right.rank ||
        compareText(left.problem.path, right.problem.path) ||
        left.problem.line - right.problem.line ||
        left.problem.column - right.problem.column ||
        severities.indexOf(left.problem.severity) - severities.indexOf(right.problem.severity) ||
        left.index - right.index,
    )
    .map(({ problem }) => problem)
}

const severities = ['error', 'warning', 'info']

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** One line for a terminal: `file:line:col severity code message`, and what to do. */
export function describeLoadProblem(problem: LoadProblem): string {
  const { path, line, column, severity, code, what, why, instead } = problem
  return `${path}:${line}:${column} ${severity} ${code} ${what} ${why} ${instead}`
}
