import { IcmError } from '@icm/errors'

export type PipelineErrorCode =
  | 'pipeline/stage-not-ready'
  | 'pipeline/stage-done'
  | 'pipeline/context-too-large'
  | 'pipeline/no-output'
  | 'pipeline/output-appeared'
  | 'pipeline/suspended'
  | 'pipeline/no-tools-available'
  | 'pipeline/newer-state'
  | 'pipeline/corrupt-state'
  | 'pipeline/unsafe-state'
  | 'pipeline/invalid-name'

/** Thrown when a stage cannot start or ends without its output; whatever was finished before is on disk. */
export class PipelineError extends IcmError<PipelineErrorCode> {}
