import { IcmError } from '@icm/errors'

export type McpServerErrorCode = 'mcp-server/bad-command-line'

/** Thrown for the person who starts a server; faults of tools are results. */
export class McpServerError extends IcmError<McpServerErrorCode> {}
