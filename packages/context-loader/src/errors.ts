import { IcmError } from '@icm/errors'

export type ContextLoaderErrorCode =
  | 'context/no-workspace'
  | 'context/unknown-stage'
  | 'context/allowed-root'
  | 'context/unreadable'

/** What `@icm/context-loader` throws; faults of a workspace's content come back as problems instead. */
export class ContextLoaderError extends IcmError<ContextLoaderErrorCode> {}
