import type { StageRef, Workspace } from './types.js'
import { baseOf, joinPath } from './workspace-paths.js'

/** The absolute place of an output: from the stage folder; `/x` and `<stages folder>/x` from the workspace. */
export function outputPlace(workspace: Workspace, stage: StageRef, path: string): string {
  const { root, stagesFolder } = workspace
  if (path.startsWith('/')) return joinPath(root, path.slice(1))
  const inStages = stagesFolder !== root && path.split('/')[0] === baseOf(stagesFolder) && path.includes('/')
  return joinPath(inStages ? root : stage.folder, path)
}
