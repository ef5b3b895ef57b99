import type { ContractInput, ForEach, StageContract } from '@icm/contract-parser'
import { IcmError } from '@icm/errors'
import type { DeclaredOutput, DeclaredOutputs } from '../declared-outputs.js'
import { estimateTokens } from '../estimate-tokens.js'
import { orderOf } from '../find-stage.js'
import { hintForInput } from '../input-hint.js'
import { loadStage } from '../load-stage.js'
import { readContract } from '../read-contract.js'
import { inputCandidates, resolveInput } from '../resolve-input.js'
import { resolveOutputs } from '../resolve-outputs.js'
import type { LoadProblem, ResolvedInput, StageContext, StageRef, Workspace } from '../types.js'
import { shownPath } from '../workspace-paths.js'
import type { CheckedInput, CheckWorkspaceOptions, InputStatus } from './check-workspace.js'

/** An input with what the checks between stages need to know. */
export interface InputCheck extends CheckedInput {
  /** The outputs that it can mean. */
  readonly writers: readonly DeclaredOutput[]
  /** Absolute places where it may be. */
  readonly candidates: readonly string[]
}

/** What one stage alone comes to. */
export interface StageCheck {
  readonly stage: StageRef
  readonly contract: StageContract
  readonly inputs: readonly InputCheck[]
  /** The source of the For each, read like an input. */
  readonly items?: InputCheck
  readonly outputs: readonly string[]
  readonly context: StageContext
  readonly problems: readonly LoadProblem[]
  /** The contract's text. */
  readonly text: string
}

/** A contract longer than this is hard to keep in mind, for a person and for a small model. */
const longestContract = 80

/** Loads one stage and judges everything that its own contract can show. */
export async function checkStage(
  workspace: Workspace,
  stage: StageRef,
  declared: DeclaredOutputs,
  options: CheckWorkspaceOptions,
): Promise<StageCheck> {
  const { countTokens, budget, signal } = options
  const context = await loadStage(workspace, stage.name, {
    ...(countTokens ? { countTokens } : {}),
    ...(budget === undefined ? {} : { budget }),
    ...(signal ? { signal } : {}),
  })
  const { text } = await readContract(workspace, stage)
  const { contract } = context
  const inputs: InputCheck[] = []
  for (const input of contract.inputs) inputs.push(await checkInput(workspace, stage, input, declared))
  const items = contract.forEach && (await checkInput(workspace, stage, inputOf(contract.forEach), declared))
  const outputs = await resolveOutputs(workspace, stage, contract)
  return {
    stage,
    contract,
    inputs,
    ...(items ? { items } : {}),
    outputs: outputs.outputs.map((output) => shownPath(workspace, output.path)),
    context,
    problems: [
      ...context.problems.filter((problem) => !isPending(workspace, stage, problem)),
      ...outputs.problems,
      ...largestItem(workspace, context, options),
      ...longContract(workspace, stage, text),
    ],
    text,
  }
}

/** An input that an earlier stage will write is no fault of the workspace. */
function isPending(workspace: Workspace, stage: StageRef, problem: LoadProblem): boolean {
  if (problem.code !== 'context/missing-input') return false
  const producer = problem.details?.producer
  if (typeof producer !== 'string') return false
  const order = orderOf(workspace, producer)
  return order >= 0 && order < orderOf(workspace, stage.name)
}

function inputOf(forEach: ForEach): ContractInput {
  const { path, line, column } = forEach
  return { kind: 'file', text: path, path, scope: { kind: 'full', text: '' }, required: true, line, column }
}

async function checkInput(
  workspace: Workspace,
  stage: StageRef,
  input: ContractInput,
  declared: DeclaredOutputs,
): Promise<InputCheck> {
  const none = { input, paths: [], writers: [], candidates: [] }
  if (input.kind === 'external') return { ...none, status: 'external' }
  if (input.kind !== 'file' || input.path === undefined) return { ...none, status: 'no-file' }
  const sibling = input.siblingOf ? { siblingOf: input.siblingOf } : {}
  let resolved: ResolvedInput
  try {
    resolved = await resolveInput(workspace, stage, input.path, sibling)
  } catch (error) {
    if (!IcmError.isInstance(error)) throw error
    return { ...none, status: 'unreadable' }
  }
  const candidates = inputCandidates(workspace, stage, input.path, input.siblingOf)
  const matches = 'matches' in resolved ? resolved.matches.map((match) => match.path) : []
  const places = matches.length > 0 ? matches : candidates
  const writers = places.map((place) => declared.writersOf(place)).find((found) => found.length > 0) ?? []
  const paths = matches.map((path) => shownPath(workspace, path))
  const checked = { input, paths, writers, candidates }
  if (resolved.status !== 'missing') {
    const status = resolved.status === 'escapes' ? 'outside' : resolved.status
    const producer = writers[0]?.stage.name
    return { ...checked, status, ...(producer ? { producer } : {}) }
  }
  const hint = await hintForInput(workspace, stage, input.path, {
    ...sibling,
    declared: async () => declared,
  })
  const pending =
    hint.producer !== undefined && orderOf(workspace, hint.producer) < orderOf(workspace, stage.name)
  const status: InputStatus = pending ? 'pending' : input.required ? 'missing' : 'absent'
  const { producer, nearest } = hint
  return { ...checked, status, ...(producer ? { producer } : {}), ...(nearest ? { nearest } : {}) }
}

/** The window must also hold the largest item of a For each. */
function largestItem(
  workspace: Workspace,
  context: StageContext,
  { budget, countTokens = estimateTokens }: CheckWorkspaceOptions,
): LoadProblem[] {
  if (budget === undefined || context.tokens > budget) return []
  const sizes = context.items.map((item) => ({
    item,
    tokens: countTokens(`## ${item.heading}\n\n${item.body}`),
  }))
  const largest = sizes.reduce(
    (best, one) => (one.tokens > best.tokens ? one : best),
    sizes[0] ?? { tokens: 0, item: undefined },
  )
  const tokens = context.tokens + largest.tokens
  if (!largest.item || tokens <= budget) return []
  const word = context.contract.forEach?.item ?? 'item'
  return [
    {
      code: 'context/over-budget',
      severity: 'error',
      what: `Stage ${context.stage.name} takes about ${tokens} tokens with its largest ${word}; the budget is ${budget}.`,
      why: `The ${word} "${largest.item.heading}" alone takes ${largest.tokens}.`,
      instead: `Split that ${word}, or raise the budget to ${tokens}.`,
      details: { tokens, budget },
      path: shownPath(workspace, context.stage.contractPath),
      line: context.contract.forEach?.line ?? 1,
      column: context.contract.forEach?.column ?? 1,
    },
  ]
}

function longContract(workspace: Workspace, stage: StageRef, text: string): LoadProblem[] {
  const lines = text.trimEnd().split(/\r\n|\n|\r/).length
  if (lines <= longestContract) return []
  return [
    {
      code: 'context/long-contract',
      severity: 'info',
      what: `The contract has ${lines} lines.`,
      why: `Beyond ${longestContract} lines a person, and a small model, loses the thread.`,
      instead: 'Move rules into a file of "references/" and name it in Inputs.',
      path: shownPath(workspace, stage.contractPath),
      line: longestContract + 1,
      column: 1,
    },
  ]
}
