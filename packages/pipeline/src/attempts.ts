import { writeFileAtomically } from '@icm/safe-files'
import { isCount, shapeOf } from './shape.js'
import { readStateFile } from './state-file.js'
import type { StateFolder } from './state-folder.js'
import { stateIgnored } from './state-ignored.js'
import type { PipelineEventBody } from './types.js'

const isAttempts = shapeOf<{ readonly count: number }>({ count: isCount })

/** Counts one more attempt at a stage. A counter that cannot be used begins anew, and `ignored` says so. */
export async function countAttempt(
  folder: StateFolder,
  stage: string,
): Promise<{ readonly attempt: number; readonly ignored?: PipelineEventBody }> {
  const path = folder.attempts(stage)
  const file = await readStateFile(path, isAttempts)
  const attempt = (file.status === 'read' ? file.value.count : 0) + 1
  await writeFileAtomically(path, `${JSON.stringify({ count: attempt })}\n`)
  return file.status === 'unusable'
    ? { attempt, ignored: stateIgnored(folder, path, file.reason) }
    : { attempt }
}
