import { IcmError } from '@icm/errors'

export type SearchServerErrorCode =
  | 'search/bad-option'
  | 'search/library-missing'
  | 'search/library-empty'
  | 'search/empty-query'

/** Thrown by this server: at construction for a person, from a call for the model. */
export class SearchServerError extends IcmError<SearchServerErrorCode> {}
