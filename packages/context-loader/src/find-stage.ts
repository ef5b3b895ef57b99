import { nearestName } from '@icm/errors'
import { ContextLoaderError } from './errors.js'
import { readStageName } from './stage-names.js'
import type { StageRef, Workspace } from './types.js'

/**
 * The stage that a person names: by folder name, by number (`2`, `02`, `01b`), or by a beginning or part of the name
 * that only one stage has. Throws ContextLoaderError `context/unknown-stage` with all names and the nearest.
 */
export function findStage(workspace: Workspace, stage: string | number): StageRef {
  const wanted = String(stage).trim().replace(/\/$/, '')
  const { stages } = workspace
  const exact = stages[orderOf(workspace, wanted)]
  if (exact) return exact
  const number = readStageName(`${wanted}-`)
  const lower = wanted.toLowerCase()
  const attempts = [
    stages.filter((one) => number && one.number === number.number && one.letter === number.letter),
    stages.filter((one) => lower !== '' && one.name.toLowerCase().startsWith(lower)),
    stages.filter((one) => lower !== '' && one.name.toLowerCase().includes(lower)),
  ]
  const matches = attempts.find((found) => found.length > 0) ?? []
  const [only, second] = matches
  if (only && !second) return only
  throw unknownStage(wanted, stages, matches)
}

function unknownStage(
  wanted: string,
  stages: readonly StageRef[],
  matches: readonly StageRef[],
): ContextLoaderError {
  const names = stages.map((stage) => stage.name)
  const several = matches.map((stage) => stage.name)
  const nearest = several.length > 0 ? undefined : nearestStage(wanted, names)
  return new ContextLoaderError({
    code: 'context/unknown-stage',
    what:
      several.length > 0
        ? `"${wanted}" names more than one stage: ${several.join(', ')}.`
        : `No stage is named "${wanted}".`,
    why: `The stages of this workspace are: ${names.join(', ')}.`,
    instead: nearest ? `Did you mean "${nearest}"?` : 'Give the name of one of them.',
    details: { stage: wanted, stages: names, ...(nearest ? { nearest } : {}) },
  })
}

function nearestStage(wanted: string, names: readonly string[]): string | undefined {
  const whole = nearestName(wanted, names)
  if (whole) return whole
  const bare = (name: string) => name.replace(/^\d+[a-z]?[-_. ]+/, '')
  const near = nearestName(bare(wanted), names.map(bare))
  return names.find((name) => bare(name) === near)
}

const orders = new WeakMap<readonly StageRef[], ReadonlyMap<string, number>>()

/** The position of a stage in running order, from 0; -1 for a name that no stage has. */
export function orderOf({ stages }: Pick<Workspace, 'stages'>, name: string | undefined): number {
  let order = orders.get(stages)
  if (!order) {
    order = new Map(stages.map((stage, index) => [stage.name, index]))
    orders.set(stages, order)
  }
  return order.get(name ?? '') ?? -1
}
