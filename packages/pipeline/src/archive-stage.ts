import { rename } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { StageRef, Workspace } from '@icm/context-loader'
import { acquireLock, makeFolder, writeError } from '@icm/safe-files'
import { workspacePath } from './provenance.js'
import { readStageStatus } from './stage-status.js'
import { ensureStateFolder, exists } from './state-folder.js'

/**
 * Moves a stage's outputs to `.icm/archive/<stage>/<time>/`, so that the stage runs again; nothing is deleted.
 * `fresh` moves its finished for-each items too; without it those with an equal request are reused.
 * Returns the new places, relative to the workspace; empty when there was nothing.
 */
export async function archiveStage(
  workspace: Workspace,
  stage: StageRef,
  options: { readonly fresh?: boolean } = {},
): Promise<readonly string[]> {
  const folder = await ensureStateFolder(workspace)
  const lock = await acquireLock(folder.lock, 'icm redo')
  try {
    const status = await readStageStatus(workspace, stage)
    const time = new Date().toISOString().slice(0, 19).replaceAll(':', '')
    const target = await freeFolder(join(folder.archiveFolder(stage.name), time))
    const outputs = status.outputs
      .filter((output) => output.exists)
      .map((output) => join(workspace.root, output.path))
    const items = folder.itemsFolder(stage.name)
    const sources = [...outputs, ...(options.fresh === true && (await exists(items)) ? [items] : [])]
    const moved: string[] = []
    for (const source of sources)
      moved.push(workspacePath(workspace, await move(source, join(target, nameInArchive(stage, source)))))
    return moved
  } finally {
    await lock.release()
  }
}

/** Outputs keep their place below the stage's `output/`, so that two of one name do not meet. */
function nameInArchive(stage: StageRef, source: string): string {
  const below = relative(join(stage.folder, 'output'), source)
  return below.startsWith('..') ? below.replace(/^(?:\.\.[\\/])+/, '') : below
}

async function move(source: string, target: string): Promise<string> {
  await makeFolder(dirname(target))
  try {
    await rename(source, target)
    return target
  } catch (cause) {
    throw writeError(target, cause)
  }
}

async function freeFolder(wanted: string): Promise<string> {
  let folder = wanted
  for (let number = 2; await exists(folder); number++) folder = `${wanted}-${number}`
  return folder
}
