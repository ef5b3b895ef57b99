export { createMcpServer, type McpServerOptions } from './create-mcp-server.js'
export { guardStdout, type StdoutGuard } from './guard-stdout.js'
export { type ServeStdioOptions, serveStdio } from './serve-stdio.js'
export type { IcmToolMeta } from './tool-description.js'
