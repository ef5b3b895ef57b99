import type { ToolRegistry } from '@icm/tool-registry'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { createMcpServer, type McpServerOptions } from './create-mcp-server.js'

/** Tools as a registry for a program and as an MCP server for any number of clients. */
export interface RegistryServer {
  readonly name: string
  readonly version: string
  readonly registry: ToolRegistry
  /** Makes an MCP server of the registry; `connect` does this for you. */
  createMcpServer(): Server
  /** Serves one client over a transport of the MCP SDK. Each call is a session of its own. */
  connect(transport: Parameters<Server['connect']>[0]): Promise<void>
  /** Ends all sessions. */
  close(): Promise<void>
}

/** Serves a registry to many clients, over a session of its own each. */
export function createRegistryServer(registry: ToolRegistry, options: McpServerOptions): RegistryServer {
  const sessions = new Set<Server>()
  const newSession = () => createMcpServer(registry, options)
  return {
    name: options.name,
    version: options.version,
    registry,
    createMcpServer: newSession,
    connect: async (transport) => {
      const session = newSession()
      sessions.add(session)
      await session.connect(transport)
    },
    close: async () => {
      await Promise.allSettled([...sessions].map((session) => session.close()))
      sessions.clear()
    },
  }
}
