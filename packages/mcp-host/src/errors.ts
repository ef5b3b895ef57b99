import { IcmError } from '@icm/errors'

export type McpHostErrorCode =
  | 'mcp/bad-config'
  | 'mcp/missing-variable'
  | 'mcp/not-started'
  | 'mcp/handshake-failed'
  | 'mcp/handshake-timeout'
  | 'mcp/server-gone'

/** Thrown for a faulty list of servers; a server that does not come up is data (`failures`). */
export class McpHostError extends IcmError<McpHostErrorCode> {}
