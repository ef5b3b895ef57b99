import { rename } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { makeFolder, writeError } from '@icm/safe-files'
import { workspacePath } from './provenance.js'
import type { StageRun } from './stage-run.js'
import { readStageStatus } from './stage-status.js'
import { exists } from './state-folder.js'

/**
 * Moves a stage's outputs and their provenance to `.icm/archive/<stage>/<time>/`, so that the stage runs again;
 * nothing is deleted. `redo: 'fresh'` moves its finished for-each items too; else those with an equal request are
 * reused. Returns the new places of the outputs, relative to the workspace. The caller holds the workspace's lock.
 */
export async function archiveOutputs(run: StageRun): Promise<readonly string[]> {
  const { workspace, stage, folder } = run
  const status = await readStageStatus(workspace, stage)
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '')
  const target = await freeFolder(join(folder.archiveFolder(stage.name), time))
  const outputs = status.outputs
    .filter((output) => output.exists)
    .map((output) => join(workspace.root, output.path))
  const moved: string[] = []
  for (const source of outputs) {
    const place = join(target, nameInArchive(join(stage.folder, 'output'), source))
    await move(source, place)
    moved.push(workspacePath(workspace, place))
  }
  const history = [
    folder.provenance(stage.name),
    ...(run.redo === 'fresh' ? [folder.itemsFolder(stage.name)] : []),
  ]
  for (const source of history) {
    if (await exists(source))
      await move(source, join(target, '.history', relative(folder.stageFolder(stage.name), source)))
  }
  return moved
}

/** Outputs keep their place below the stage's `output/`, so that two of one name do not meet. */
function nameInArchive(outputFolder: string, source: string): string {
  return relative(outputFolder, source).replace(/^(?:\.\.[\\/])+/, '')
}

async function move(source: string, target: string): Promise<void> {
  await makeFolder(dirname(target))
  try {
    await rename(source, target)
  } catch (cause) {
    throw writeError(target, cause)
  }
}

async function freeFolder(wanted: string): Promise<string> {
  let folder = wanted
  for (let number = 2; await exists(folder); number++) folder = `${wanted}-${number}`
  return folder
}
