import { loadStage, type StageContext, type StageRef, type Workspace } from '@icm/context-loader'
import { IcmError } from '@icm/errors'
import { workspacePath } from './provenance.js'

/**
 * The context of a stage; one whose files cannot be read at all has the reason as its only problem and an empty
 * contract, so that a fault of one stage is no fault of the others.
 */
export async function loadContext(workspace: Workspace, stage: StageRef): Promise<StageContext> {
  try {
    return await loadStage(workspace, stage.name)
  } catch (error) {
    if (!IcmError.isInstance(error)) throw error
    const { code, what, why, instead, details } = error
    const path = workspacePath(workspace, stage.contractPath)
    return {
      stage,
      contract: {
        title: stage.name,
        purpose: '',
        inputs: [],
        tools: [],
        process: '',
        verify: [],
        checkpoints: [],
        audit: [],
        outputs: [],
        otherSections: [],
      },
      system: '',
      user: '',
      items: [],
      skippedSections: [],
      parts: [],
      dropped: [],
      problems: [
        {
          code,
          severity: 'error',
          what,
          why,
          instead,
          details: { ...details, file: path },
          path,
          line: 1,
          column: 1,
        },
      ],
      tokens: 0,
    }
  }
}

/** False when the contract could not be read: what the stage writes is then not known, and it is never done. */
export function hasContract(workspace: Workspace, context: StageContext): boolean {
  const file = workspacePath(workspace, context.stage.contractPath)
  return !context.problems.some((problem) => problem.severity === 'error' && problem.details?.file === file)
}
