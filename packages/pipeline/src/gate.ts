import type { Workspace } from '@icm/context-loader'
import { readStatus } from './stage-status.js'
import type { Gate, StageResult, StageStatus } from './types.js'

/** Everything that a person needs to know between a finished stage and the next one. */
export async function openGate(workspace: Workspace, result: StageResult): Promise<Gate> {
  const statuses = await readStatus(workspace)
  const current = statuses.find((status) => status.stage.name === result.stage)
  const next = statuses.find((status) => status.state !== 'done')
  return {
    outputs: result.outputs,
    claims: result.claims,
    truncated: result.truncated,
    checkpoints: (current?.context.contract.checkpoints ?? []).map(
      ({ presents, decides }) => `${presents}${presents === '' || decides === '' ? '' : ' – '}${decides}`,
    ),
    ...(next === undefined ? {} : { next: describeNext(next) }),
    stale: statuses
      .filter((status) => status.staleReasons.length > 0)
      .map((status) => ({ stage: status.stage.name, reasons: status.staleReasons })),
  }
}

function describeNext(status: StageStatus): NonNullable<Gate['next']> {
  const fault = status.context.problems.find((problem) => problem.severity === 'error')
  return {
    stage: status.stage.name,
    turns: Math.max(1, status.context.items.length),
    ...(fault === undefined ? {} : { problem: `${fault.what} ${fault.instead}` }),
  }
}
