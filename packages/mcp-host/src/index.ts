export { connectServers } from './connect-servers.js'
export { McpHostError, type McpHostErrorCode } from './errors.js'
export { createNameTable, type NameTable, type ToolAddress } from './name-table.js'
export type { StartProcess } from './stdio-transport.js'
export type {
  ConnectOptions,
  InMemoryServer,
  McpHost,
  MissingTool,
  ServerAllowance,
  ServerConnection,
  ServerFailure,
  ServerTools,
  StdioServer,
  ToolGrant,
} from './types.js'
