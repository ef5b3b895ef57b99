import { findStage, type StageRef } from '@icm/context-loader'
import { PipelineError } from './errors.js'
import { staleStages } from './gate.js'
import { refuseIfFaulty } from './stage-checks.js'
import { readStageStatus, readStatus } from './stage-status.js'
import type { PipelineOptions, PipelineResult } from './types.js'
import { faultyFolder, workspaceFaults } from './workspace-faults.js'

/** What a call of the pipeline will do. */
export interface Selection {
  readonly skipped: readonly { readonly stage: StageRef; readonly outputs: readonly string[] }[]
  readonly chosen: readonly StageRef[]
  readonly stale: PipelineResult['stale']
}

/**
 * The stages that a call runs: the next unfinished one, all of them, or the one that was asked for. Throws
 * `pipeline/stage-done` for a finished one without `redo`, and `pipeline/stage-not-ready` when only a fault of the
 * workspace is left between it and its end.
 */
export async function selectStages({ workspace, stage, all, redo }: PipelineOptions): Promise<Selection> {
  if (stage !== undefined) {
    const wanted = findStage(workspace, stage)
    const status = await readStageStatus(workspace, wanted)
    if (status.state === 'done' && redo === undefined) throw stageDone(status.stage, status.outputs)
    return { skipped: [], chosen: [wanted], stale: [] }
  }
  const statuses = await readStatus(workspace)
  const open = statuses.filter((status) => status.state !== 'done').map((status) => status.stage)
  const firstOpen = statuses.findIndex((status) => status.state !== 'done')
  const skipped = statuses
    .slice(0, firstOpen === -1 ? undefined : firstOpen)
    .map((status) => ({ stage: status.stage, outputs: status.outputs.map((output) => output.path) }))
  // Finished but for a stage that was left out of the order: that one stands in the way.
  const faults = workspaceFaults(workspace)
  const [first] = faults
  if (open.length === 0 && first !== undefined) refuseIfFaulty(faultyFolder(workspace, first), faults)
  return { skipped, chosen: all ? open : open.slice(0, 1), stale: staleStages(statuses) }
}

function stageDone(stage: StageRef, outputs: readonly { readonly path: string }[]): PipelineError {
  return new PipelineError({
    code: 'pipeline/stage-done',
    what: `Stage ${stage.name} was not run: ${outputs.map((output) => output.path).join(', ')} is there.`,
    why: 'A finished output is never overwritten.',
    instead: `Run "icm redo ${stage.name}" to archive it and run the stage again.`,
  })
}
