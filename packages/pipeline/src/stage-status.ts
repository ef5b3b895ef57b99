import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  renderItem,
  type StageContext,
  type StageRef,
  snapshotWorkspace,
  type Workspace,
} from '@icm/context-loader'
import { hasContract, loadContext } from './load-context.js'
import { readProvenance, staleReasons, workspacePath } from './provenance.js'
import { carryLine, finishedItems, promptKey } from './saved-items.js'
import { stageFaults } from './stage-checks.js'
import { stageOutputs } from './stage-outputs.js'
import { checkStateFolder, stateFolder } from './state-folder.js'
import type { StageStatus } from './types.js'

/** How far every stage of a workspace is, in order: one picture, each file looked at once. Reads only. */
export async function readStatus(workspace: Workspace): Promise<readonly StageStatus[]> {
  await checkStateFolder(stateFolder(workspace))
  const snapshot = snapshotWorkspace(workspace)
  const statuses: StageStatus[] = []
  // One after the other: a thousand stages at once would run out of open files and read each contract many times.
  for (const stage of workspace.stages) statuses.push(await readStageStatus(snapshot, stage))
  return statuses
}

/**
 * How far one stage is. It is done when every output that its contract names is a real file (a contract that names
 * none: any real file in `output/`); nothing else decides, so deleting an output is how a person asks for it again.
 */
export async function readStageStatus(workspace: Workspace, stage: StageRef): Promise<StageStatus> {
  const context = await loadContext(workspace, stage)
  const places = await stageOutputs(workspace, context)
  const files = realFiles(join(stage.folder, 'output'))
  const named = context.contract.outputs.length > 0
  const readable = hasContract(workspace, context)
  const outputs = readable
    ? places.files.map(({ path, exists }) => ({ path: workspacePath(workspace, path), exists }))
    : []
  const allThere =
    // An output that must not be written (outside the workspace) is not among the paths, and never done.
    outputs.length >= context.contract.outputs.length && outputs.every((output) => output.exists)
  const done = readable && (named ? allThere : files.length > 0)
  const items = await countItems(workspace, context)
  const history = done ? await staleness(workspace, context) : { staleReasons: [], warnings: [] }
  const started = outputs.some((output) => output.exists) || (items?.finished ?? 0) > 0
  return {
    stage,
    state: done ? 'done' : started ? 'partial' : 'pending',
    outputs:
      !named && done
        ? files.map((path) => ({ path: workspacePath(workspace, path), exists: true }))
        : outputs,
    ...(items === undefined ? {} : { items: { finished: items.finished, total: items.total } }),
    staleReasons: history.staleReasons,
    faults: done ? [] : stageFaults(workspace, context, places),
    warnings: [...history.warnings, ...(items?.warnings ?? [])],
    foreignFiles: named
      ? files
          .filter((path) => !places.files.some((place) => place.path === path))
          .map((path) => workspacePath(workspace, path))
      : [],
    context,
  }
}

async function staleness(workspace: Workspace, context: StageContext) {
  const folder = stateFolder(workspace)
  const file = await readProvenance(folder, context.stage.name)
  if (file.status === 'read')
    return { staleReasons: await staleReasons(workspace, context, file.value), warnings: [] }
  if (file.status === 'absent') return { staleReasons: [], warnings: [] } // a fresh clone
  const path = workspacePath(workspace, folder.provenance(context.stage.name))
  return {
    staleReasons: [],
    warnings: [`${path} cannot be used, so it is not known whether the stage is stale. ${file.reason}`],
  }
}

async function countItems(workspace: Workspace, context: StageContext) {
  if (context.contract.forEach === undefined) return undefined
  const { items, unusable } = await finishedItems(stateFolder(workspace), context.stage.name)
  const carried: string[] = []
  let finished = 0
  for (const item of context.items) {
    const saved = items.get(promptKey(context.system, renderItem(context, item, carried)))
    if (saved === undefined) continue
    finished++
    if (context.contract.forEach.carry) carried.push(carryLine(item.heading, saved.text))
  }
  const warnings = unusable.map(
    ({ path, reason }) =>
      `${workspacePath(workspace, path)} cannot be used and its item is written anew. ${reason}`,
  )
  return { finished, total: context.items.length, warnings }
}

function realFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
  } catch {
    return [] // no folder: nothing was written
  }
}
