import { contextPart, fitBudget, type PartOfText } from './context-part.js'
import { declaredOnce } from './declared-outputs.js'
import { unreadableProblem } from './document-problems.js'
import { estimateTokens } from './estimate-tokens.js'
import { findStage } from './find-stage.js'
import { loadInputs } from './load-inputs.js'
import { loadItems } from './load-items.js'
import { readContract } from './read-contract.js'
import { readDocument, type TextDocument } from './read-document.js'
import { rememberedLoad } from './remembered-load.js'
import { promptText, renderSystem, renderUser } from './render-context.js'
import type { ContextPart, DroppedPart, LoadProblem, StageContext, StageRef, Workspace } from './types.js'
import { shownPath } from './workspace-paths.js'

export interface LoadStageOptions {
  /** Default: `estimateTokens`. */
  readonly countTokens?: (text: string) => number
  /** Tokens for system and user text together: optional inputs that go beyond it are left out. Default: no limit. */
  readonly budget?: number
  /** Ends the load between two files; its reason is thrown as it is. */
  readonly signal?: AbortSignal
}

/**
 * Assembles the exact context of a stage from the files that its contract names, and nothing else; the same files give the
 * same bytes. The stage is given by name, number or a part of its name. While nothing that it looked at has changed, the same
 * (frozen) context comes back. Throws ContextLoaderError `context/unknown-stage`; every fault of the content is in `problems`,
 * and with an error among them the stage must not start.
 */
export async function loadStage(
  workspace: Workspace,
  stage: string | number,
  options: LoadStageOptions = {},
): Promise<StageContext> {
  options.signal?.throwIfAborted()
  const found = findStage(workspace, stage)
  return rememberedLoad(workspace, found, options, (observed) => assemble(observed, found, options))
}

async function assemble(
  workspace: Workspace,
  stage: StageRef,
  options: LoadStageOptions,
): Promise<StageContext> {
  const countTokens = options.countTokens ?? estimateTokens
  const signal = options.signal ? { signal: options.signal } : {}
  const read = await readContract(workspace, stage)
  const { contract } = read
  const layers = await readLayers(workspace)
  const process = fixedPart(workspace, 2, stage.contractPath, contract.process, {
    kind: 'text',
    text: read.text,
    get hash() {
      return read.sha256
    },
  })
  const declared = declaredOnce(workspace)
  const inputs = await loadInputs(workspace, stage, contract.inputs, { declared, ...signal })
  const items = contract.forEach && (await loadItems(workspace, stage, contract.forEach, { declared }))
  const whole = [...layers.parts, process, ...inputs.parts]
  const fitted = withinBudget(workspace, stage, whole, countTokens, options.budget)
  const [system, user] = [renderSystem(fitted.parts), renderUser(fitted.parts)]
  let parts: readonly ContextPart[] | undefined
  let tokens: number | undefined
  return {
    stage: read.stage,
    contract,
    system,
    user,
    items: items?.items ?? [],
    ...(items?.path === undefined ? {} : { forEachPath: items.path }),
    skippedSections: items?.skipped ?? [],
    get parts() {
      parts ??= Object.freeze(fitted.parts.map((part) => contextPart(part, countTokens)))
      return parts
    },
    dropped: [...inputs.dropped, ...fitted.dropped],
    problems: [
      ...read.problems,
      ...layers.problems,
      ...inputs.problems,
      ...(items?.problems ?? []),
      ...fitted.problems,
    ],
    get tokens() {
      tokens ??= countTokens(system) + countTokens(user)
      return tokens
    },
  }
}

/** Layers 0 and 1. */
async function readLayers(workspace: Workspace): Promise<{ parts: PartOfText[]; problems: LoadProblem[] }> {
  const parts: PartOfText[] = []
  const problems: LoadProblem[] = []
  for (const [layer, path] of [workspace.identityPath, workspace.routingPath].entries()) {
    if (!path) continue
    const document = await readDocument(workspace.files, path)
    if (document.kind === 'text') {
      parts.push(fixedPart(workspace, layer === 0 ? 0 : 1, path, document.text, document))
      continue
    }
    const shown = shownPath(workspace, path)
    const place = { path: shown, line: 1, column: 1 }
    problems.push(unreadableProblem(`Layer ${layer}`, shown, document, place))
  }
  return { parts, problems }
}

function fixedPart(
  workspace: Workspace,
  layer: 0 | 1 | 2,
  path: string,
  text: string,
  document: TextDocument,
): PartOfText {
  const label = shownPath(workspace, path)
  const scope = { kind: 'full', text: '' } as const
  return { layer, label, path, scope, text: promptText(text), required: true, document }
}

interface Fitted {
  readonly parts: readonly PartOfText[]
  readonly dropped: readonly DroppedPart[]
  readonly problems: readonly LoadProblem[]
}

function withinBudget(
  workspace: Workspace,
  stage: StageRef,
  whole: readonly PartOfText[],
  countTokens: (text: string) => number,
  budget: number | undefined,
): Fitted {
  if (budget === undefined) return { parts: whole, dropped: [], problems: [] }
  const total = (parts: readonly PartOfText[]) =>
    countTokens(renderSystem(parts)) + countTokens(renderUser(parts))
  const { parts, dropped, tokens } = fitBudget(whole, budget, total)
  if (tokens <= budget) return { parts, dropped, problems: [] }
  const sizes = parts.map(({ label, text }) => ({ label, tokens: countTokens(text) }))
  const largest = sizes.sort((left, right) => right.tokens - left.tokens).slice(0, 3)
  const names = largest.map((part) => `${part.label} ${part.tokens}`).join(', ')
  const problem: LoadProblem = {
    code: 'context/over-budget',
    severity: 'error',
    what: `The texts of stage ${stage.name} take about ${tokens} tokens; the budget is ${budget}.`,
    why: `The largest are: ${names}.`,
    instead: `Name sections of ${largest[0]?.label ?? 'the files'} in the contract, or raise the budget to ${tokens}.`,
    details: { tokens, budget },
    path: shownPath(workspace, stage.contractPath),
    line: 1,
    column: 1,
  }
  return { parts, dropped, problems: [problem] }
}
