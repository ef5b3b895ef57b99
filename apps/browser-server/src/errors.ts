import { IcmError } from '@icm/errors'

export type BrowserServerErrorCode =
  | 'browser/bad-option'
  | 'browser/bad-address'
  | 'browser/address-refused'
  | 'browser/not-found'
  | 'browser/unreachable'
  | 'browser/timed-out'
  | 'browser/blocked'
  | 'browser/content-type'
  | 'browser/too-many-redirects'
  | 'browser/empty-page'

/** Thrown by this server: at construction for a person, from a call for the model. */
export class BrowserServerError extends IcmError<BrowserServerErrorCode> {}
