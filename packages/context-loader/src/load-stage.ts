import { estimateTokens } from './estimate-tokens.js'
import { sha256 } from './hash.js'
import { declaredOnce } from './input-hint.js'
import { loadInputs } from './load-inputs.js'
import { loadItems } from './load-items.js'
import { readContract } from './read-contract.js'
import { promptText, renderSystem, renderUser } from './render-context.js'
import type { ContextPart, StageContext, Workspace } from './types.js'
import { shownPath } from './workspace-paths.js'

export interface LoadStageOptions {
  /** Default: `estimateTokens`. */
  readonly countTokens?: (text: string) => number
}

/**
 * Assembles the exact context of a stage from the files that its contract names, and nothing else; the same files give the
 * same bytes. The stage is given by name, number or a part of its name. Throws ContextLoaderError `context/unknown-stage`;
 * every fault of the content is in `problems`, and with an error among them the stage must not start.
 */
export async function loadStage(
  workspace: Workspace,
  stage: string | number,
  options: LoadStageOptions = {},
): Promise<StageContext> {
  const countTokens = options.countTokens ?? estimateTokens
  const read = await readContract(workspace, stage)
  const { contract } = read
  const process = partOf(
    2,
    shownPath(workspace, read.stage.contractPath),
    read.stage.contractPath,
    contract.process,
  )
  const parts: ContextPart[] = []
  for (const [layer, path] of [workspace.identityPath, workspace.routingPath].entries()) {
    if (!path) continue
    const text = await workspace.files.readText(path)
    parts.push(
      counted({
        ...partOf(layer === 0 ? 0 : 1, shownPath(workspace, path), path, text),
        sha256: sha256(text),
      }),
    )
  }
  parts.push(counted({ ...process, sha256: read.sha256 }))
  const declared = declaredOnce(workspace)
  const inputs = await loadInputs(workspace, read.stage, contract.inputs, { countTokens, declared })
  const all = [...parts, ...inputs.parts]
  const found = contract.forEach && (await loadItems(workspace, read.stage, contract.forEach, { declared }))
  const [system, user] = [renderSystem(all), renderUser(all)]
  return {
    stage: read.stage,
    contract,
    system,
    user,
    items: found?.items ?? [],
    ...(found?.path === undefined ? {} : { forEachPath: found.path }),
    skippedSections: found?.skipped ?? [],
    parts: all,
    dropped: inputs.dropped,
    problems: [...read.problems, ...inputs.problems, ...(found?.problems ?? [])],
    tokens: countTokens(system) + countTokens(user),
  }

  function counted(part: Omit<ContextPart, 'characters' | 'tokens'>): ContextPart {
    return { ...part, characters: part.text.length, tokens: countTokens(part.text) }
  }
}

function partOf(layer: 0 | 1 | 2, label: string, path: string, text: string) {
  return { layer, label, path, scope: { kind: 'full', text: '' }, text: promptText(text) } as const
}
