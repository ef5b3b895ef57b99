import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  loadStage,
  renderItem,
  resolveOutputs,
  type StageContext,
  type StageRef,
  type Workspace,
} from '@icm/context-loader'
import { readProvenance, staleReasons, workspacePath } from './provenance.js'
import { carryLine, finishedItems, promptKey } from './saved-items.js'
import { checkStateVersion, stateFolder } from './state-folder.js'
import type { StageStatus } from './types.js'

/** How far every stage of a workspace is, in order. Reads only. */
export async function readStatus(workspace: Workspace): Promise<readonly StageStatus[]> {
  await checkStateVersion(stateFolder(workspace))
  return Promise.all(workspace.stages.map((stage) => readStageStatus(workspace, stage)))
}

/**
 * How far one stage is. It is done when every output that its contract names is a real file (a contract that names
 * none: any real file in `output/`); nothing else decides, so deleting an output is how a person asks for it again.
 */
export async function readStageStatus(workspace: Workspace, stage: StageRef): Promise<StageStatus> {
  const folder = stateFolder(workspace)
  const context = await loadStage(workspace, stage.name)
  const paths = await outputPaths(workspace, context)
  const files = await realFiles(join(stage.folder, 'output'))
  const outputs = await Promise.all(
    paths.map(async (path) => ({ path: workspacePath(workspace, path), exists: await isRealFile(path) })),
  )
  const named = new Set(paths)
  const namesNone = context.contract.outputs.length === 0
  // An output that must not be written (outside the workspace) is not among the paths, and never done.
  const allThere =
    outputs.length >= context.contract.outputs.length && outputs.every((output) => output.exists)
  const done = namesNone ? files.length > 0 : allThere
  const items = context.contract.forEach === undefined ? undefined : await countItems(workspace, context)
  const started = outputs.some((output) => output.exists) || (items?.finished ?? 0) > 0
  const state = done ? 'done' : started ? 'partial' : 'pending'
  return {
    stage,
    state,
    outputs:
      namesNone && done
        ? files.map((path) => ({ path: workspacePath(workspace, path), exists: true }))
        : outputs,
    ...(items === undefined ? {} : { items }),
    staleReasons: done
      ? await staleReasons(workspace, context, await readProvenance(folder, stage.name))
      : [],
    foreignFiles:
      context.contract.outputs.length === 0
        ? []
        : files.filter((path) => !named.has(path)).map((path) => workspacePath(workspace, path)),
    context,
  }
}

/**
 * Absolute paths of a stage's outputs. A contract that names none, or only a folder, writes `<stage name>.md` there.
 */
export async function outputPaths(
  workspace: Workspace,
  context: Pick<StageContext, 'stage' | 'contract'>,
): Promise<readonly string[]> {
  const fileName = `${context.stage.name.replace(/^\d+[a-z]?[-_. ]+/i, '') || context.stage.name}.md`
  if (context.contract.outputs.length === 0) return [join(context.stage.folder, 'output', fileName)]
  const { outputs } = await resolveOutputs(workspace, context.stage, context.contract)
  return outputs.map((output) => (output.folder ? join(output.path, fileName) : output.path))
}

async function countItems(workspace: Workspace, context: StageContext) {
  const finished = await finishedItems(stateFolder(workspace), context.stage.name)
  const carried: string[] = []
  let count = 0
  for (const item of context.items) {
    const saved = finished.get(promptKey(context.system, renderItem(context, item, carried)))
    if (saved === undefined) continue
    count++
    if (context.contract.forEach?.carry === true) carried.push(carryLine(item.heading, saved.text))
  }
  return { finished: count, total: context.items.length }
}

async function realFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath ?? dirname(folder), entry.name))
    .sort()
}

async function isRealFile(path: string): Promise<boolean> {
  return stat(path).then(
    (file) => file.isFile(),
    () => false,
  )
}
