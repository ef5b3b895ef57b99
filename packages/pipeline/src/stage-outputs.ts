import { join } from 'node:path'
import { type LoadProblem, resolveOutputs, type StageContext, type Workspace } from '@icm/context-loader'
import { findObstacle } from '@icm/safe-files'
import { workspacePath } from './provenance.js'

/** Where a stage writes, and what keeps it from writing there. */
export interface StageOutputs {
  /** Absolute, in contract order; an output that must not be written is left out and reported. */
  readonly paths: readonly string[]
  readonly faults: readonly LoadProblem[]
}

/**
 * The outputs of a stage. A contract that names none, or only a folder, writes `<stage name>.md` there. Faults: places
 * outside the workspace, names with a placeholder, and what stands in the way. Reads only; see `checkWritable`.
 */
export async function stageOutputs(workspace: Workspace, context: StageContext): Promise<StageOutputs> {
  const { stage, contract } = context
  const fileName = `${stage.name.replace(/^\d+[a-z]?[-_. ]+/i, '') || stage.name}.md`
  const resolved = await resolveOutputs(workspace, stage, contract)
  const places =
    contract.outputs.length === 0
      ? [{ path: join(stage.folder, 'output', fileName), line: 1, column: 1 }]
      : resolved.outputs.map(({ path, folder, output: { line, column } }) => ({
          path: folder ? join(path, fileName) : path,
          line,
          column,
        }))
  const obstacles = await Promise.all(places.map((place) => obstacleProblem(workspace, context, place)))
  return {
    paths: places.map((place) => place.path),
    faults: [
      ...resolved.problems.filter(
        ({ severity, code }) => severity === 'error' || code === 'context/templated-output',
      ),
      ...obstacles.filter((problem) => problem !== undefined),
    ],
  }
}

async function obstacleProblem(
  workspace: Workspace,
  { stage }: StageContext,
  { path, line, column }: { readonly path: string; readonly line: number; readonly column: number },
): Promise<LoadProblem | undefined> {
  const obstacle = await findObstacle(path)
  if (obstacle === undefined) return undefined
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
