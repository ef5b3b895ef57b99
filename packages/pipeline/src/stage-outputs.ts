import { lstatSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LoadProblem, StageContext, Workspace } from '@icm/context-loader'
import { findObstacle, type SafeFilesError } from '@icm/safe-files'
import { nameOutputs } from './output-names.js'
import { workspacePath } from './provenance.js'

/** Where a stage writes, and what keeps it from writing there. */
export interface StageOutputs {
  /** In contract order, with absolute paths; an output that must not be written is left out and reported. */
  readonly files: readonly { readonly path: string; readonly exists: boolean }[]
  readonly faults: readonly LoadProblem[]
}

/**
 * The outputs of a stage. A contract that names none, or only a folder, writes `<stage name>.md` there. Faults: places
 * outside the workspace, names with a placeholder that has no value, and what stands in the way. Reads only; see
 * `checkWritable`. `again`: as the stage would write them if it ran anew.
 */
export async function stageOutputs(
  workspace: Workspace,
  context: StageContext,
  options: { readonly again?: boolean } = {},
): Promise<StageOutputs> {
  const { stage, contract } = context
  const fileName = `${stage.name.replace(/^\d+[a-z]?[-_. ]+/i, '') || stage.name}.md`
  const named = await nameOutputs(workspace, context, options)
  const places =
    contract.outputs.length === 0
      ? [{ path: join(stage.folder, 'output', fileName), line: 1, column: 1 }]
      : named.outputs.map(({ path, folder, output: { line, column } }) => ({
          path: folder ? join(path, fileName) : path,
          line,
          column,
        }))
  const files: { path: string; exists: boolean }[] = []
  const obstacles: LoadProblem[] = []
  for (const place of places) {
    const exists = isRealFile(place.path)
    files.push({ path: place.path, exists })
    const obstacle = exists || isFree(place.path) ? undefined : await findObstacle(place.path)
    if (obstacle !== undefined) obstacles.push(obstacleProblem(workspace, context, place, obstacle))
  }
  return { files, faults: [...named.faults, ...obstacles] }
}

function isRealFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true
  } catch {
    return false // a part of the way is no folder, or may not be entered
  }
}

/** Nothing is there, and the first thing above it is a folder: nearly always so, and asked for every output. */
function isFree(path: string): boolean {
  const state = (place: string) => lstatSync(place, { throwIfNoEntry: false })
  try {
    if (state(path) !== undefined) return false
    for (let place = dirname(path); place !== dirname(place); place = dirname(place)) {
      const above = state(place)
      if (above !== undefined) return above.isDirectory()
    }
    return false
  } catch {
    return false
  }
}

function obstacleProblem(
  workspace: Workspace,
  { stage }: StageContext,
  { path, line, column }: { readonly path: string; readonly line: number; readonly column: number },
  obstacle: SafeFilesError,
): LoadProblem {
  return {
    code: 'pipeline/output-in-the-way',
    severity: 'error',
    what: `The output ${workspacePath(workspace, path)} cannot be written. ${obstacle.why}`,
    why: 'An output is a file of its own.',
    instead: obstacle.instead,
    path: workspacePath(workspace, stage.contractPath),
    line,
    column,
  }
}
