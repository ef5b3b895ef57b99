import { join, relative } from 'node:path'
import type { LoadProblem, StageRef, Workspace } from '@icm/context-loader'

type Place = Pick<StageRef, 'number' | 'letter'>

/**
 * The errors of a workspace that stand in the way of a stage: those at its place in the order or before it (two stages
 * with one number, a stage that leads outside and was left out) and those of the whole workspace. Without a stage: all.
 */
export function workspaceFaults(workspace: Workspace, stage?: StageRef): readonly LoadProblem[] {
  const errors = workspace.problems.filter((problem) => problem.severity === 'error')
  if (stage === undefined) return errors
  return errors.filter((problem) => {
    const place = placeOf(faultyFolder(workspace, problem))
    return place === undefined || !isBefore(stage, place)
  })
}

/** The folder of the stages that a fault lies in, such as `04-publish`; or its path, when it lies in none. */
export function faultyFolder(workspace: Workspace, problem: LoadProblem): string {
  const [folder = ''] = relative(workspace.stagesFolder, join(workspace.root, problem.path)).split(/[\\/]/)
  return placeOf(folder) === undefined ? problem.path : folder
}

function placeOf(folder: string): Place | undefined {
  const [, digits, letter = ''] = /^(\d+)([a-z]?)[-_. ]/.exec(folder) ?? []
  return digits === undefined ? undefined : { number: Number(digits), letter }
}

function isBefore(left: Place, right: Place): boolean {
  return left.number === right.number ? left.letter < right.letter : left.number < right.number
}
