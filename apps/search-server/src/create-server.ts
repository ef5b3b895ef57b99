import { createMcpServer } from '@icm/mcp-server'
import { createToolRegistry, type ToolRegistry } from '@icm/tool-registry'
import { createFolderBackend } from './backends/folder.js'
import { checkOptions } from './check-options.js'
import { serverVersion } from './server-version.js'
import { searchTool } from './tools/search.js'

export interface SearchServerOptions {
  /** Where results come from. */
  readonly backend: 'folder'
  /** Absolute path of the folder whose documents are searched; results name them `file:///library/<path>`. */
  readonly library: string
}

type McpServer = ReturnType<typeof createMcpServer>

/** The search tool, as a registry for a program and as an MCP server for any transport. */
export interface SearchServer {
  readonly name: string
  readonly version: string
  readonly registry: ToolRegistry
  /** Makes an MCP server of the registry; `connect` does this for you. */
  createMcpServer(): McpServer
  /** Serves one client over a transport of the MCP SDK. Each call is a session of its own. */
  connect(transport: Parameters<McpServer['connect']>[0]): Promise<void>
  /** Ends all sessions. */
  close(): Promise<void>
}

/**
 * Makes the tool `search`. The index is built by the first search.
 * Throws `search/bad-option` for a backend that is not there, `search/library-missing` for a library that is no folder.
 */
export function createServer(options: SearchServerOptions): SearchServer {
  checkOptions(options)
  const name = 'search-server'
  const registry = createToolRegistry({ tools: [searchTool(createFolderBackend(options))] })
  const sessions = new Set<McpServer>()
  const newSession = () => createMcpServer(registry, { name, version: serverVersion })
  return {
    name,
    version: serverVersion,
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
