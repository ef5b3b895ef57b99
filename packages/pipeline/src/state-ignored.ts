import { dirname } from 'node:path'
import { workspacePath } from './provenance.js'
import type { StateFolder } from './state-folder.js'
import type { PipelineEventBody } from './types.js'

/** The event of a file of the history that cannot be used and can be done without. */
export function stateIgnored(folder: StateFolder, path: string, reason: string): PipelineEventBody {
  return { type: 'state-ignored', path: workspacePath({ root: dirname(folder.root) }, path), reason }
}
