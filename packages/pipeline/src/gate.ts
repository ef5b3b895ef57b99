import type { Workspace } from '@icm/context-loader'
import { readStatus } from './stage-status.js'
import type { Gate, StageResult, StageStatus } from './types.js'
import { faultyFolder, workspaceFaults } from './workspace-faults.js'

/** Everything that a person needs to know between a finished stage and the next one. */
export async function openGate(workspace: Workspace, result: StageResult): Promise<Gate> {
  const statuses = await readStatus(workspace)
  const current = statuses.find((status) => status.stage.name === result.stage)
  const next = nextOf(workspace, statuses)
  return {
    outputs: result.outputs,
    claims: result.claims,
    truncated: result.truncated,
    checkpoints: (current?.context.contract.checkpoints ?? []).map(
      ({ presents, decides }) => `${presents}${presents === '' || decides === '' ? '' : ' – '}${decides}`,
    ),
    ...(next === undefined ? {} : { next }),
    stale: staleStages(statuses),
  }
}

/** The done stages whose inputs have changed since they ran. */
export function staleStages(statuses: readonly StageStatus[]): Gate['stale'] {
  return statuses
    .filter((status) => status.staleReasons.length > 0)
    .map((status) => ({ stage: status.stage.name, reasons: status.staleReasons }))
}

function nextOf(workspace: Workspace, statuses: readonly StageStatus[]): Gate['next'] {
  const next = statuses.find((status) => status.state !== 'done')
  // A stage that was left out of the order for a fault is still to come.
  const [fault] = next?.faults ?? workspaceFaults(workspace)
  if (next === undefined && fault === undefined) return undefined
  return {
    stage: next?.stage.name ?? (fault === undefined ? '' : faultyFolder(workspace, fault)),
    turns: Math.max(1, next?.context.items.length ?? 0),
    ...(fault === undefined ? {} : { problem: `${fault.what} ${fault.instead}` }),
  }
}
