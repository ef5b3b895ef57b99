import { IcmError } from '@icm/errors'

export type DocumentToolsErrorCode =
  | 'document/no-folder'
  | 'document/no-text'
  | 'document/too-large'
  | 'document/no-such-line'
  | 'document/bad-pattern'
  | 'document/no-match'
  | 'document/name-taken'
  | 'document/rename-stopped'
  | 'document/bad-option'
  | 'document/no-program'
  | 'document/program-failed'
  | 'document/no-result'

/** What a tool could not do, with the way on worked out from what is really in the folder. */
export class DocumentToolsError extends IcmError<DocumentToolsErrorCode> {}
