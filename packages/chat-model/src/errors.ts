import { IcmError } from '@icm/errors'

/** Every way in which a model call fails. */
export type ChatModelErrorCode =
  | 'chat/unreachable'
  | 'chat/model-missing'
  | 'chat/no-tool-support'
  | 'chat/no-thinking-support'
  | 'chat/context-overflow'
  | 'chat/output-budget-exhausted'
  | 'chat/timeout'
  | 'chat/stream-corrupt'
  | 'chat/out-of-memory'
  | 'chat/server-error'
  | 'chat/bad-request'
  | 'chat/invalid-output'
  | 'chat/degenerate-output'
  | 'chat/replay-miss'
  | 'chat/bad-cassette'
  | 'chat/bad-option'
  | 'chat/peer-missing'
  | 'chat/script-mismatch'

/** Thrown by every adapter and helper of this package; aborts are never wrapped in it. */
export class ChatModelError extends IcmError<ChatModelErrorCode> {}
