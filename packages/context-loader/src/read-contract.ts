import { parseContract } from '@icm/contract-parser'
import { findStage } from './find-stage.js'
import { sha256 } from './hash.js'
import type { ReadContract, StageRef, Workspace } from './types.js'
import { shownPath } from './workspace-paths.js'

/**
 * Reads and parses the contract of a stage; nothing is cached, so an edit shows at the next call.
 * Throws ContextLoaderError `context/unknown-stage`, or `context/unreadable` when the file is gone.
 */
export async function readContract(
  workspace: Workspace,
  stage: StageRef | string | number,
): Promise<ReadContract> {
  const found = typeof stage === 'object' ? stage : findStage(workspace, stage)
  const text = await workspace.files.readText(found.contractPath)
  const { contract, problems } = parseContract(text)
  const path = shownPath(workspace, found.contractPath)
  return {
    stage: found,
    contract,
    problems: problems.map((problem) => ({ ...problem, path })),
    text,
    sha256: sha256(text),
  }
}
