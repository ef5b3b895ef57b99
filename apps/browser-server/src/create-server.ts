import { createMcpServer } from '@icm/mcp-server'
import { createToolRegistry, type ToolRegistry } from '@icm/tool-registry'
import { createHttpBackend } from './backends/http.js'
import { checkOptions } from './check-options.js'
import { createPageLibrary } from './library/page-library.js'
import { createOpenPage } from './open-page.js'
import { serverVersion } from './server-version.js'
import { fetchSnippetTool } from './tools/fetch-snippet.js'
import { fetchStructureTool } from './tools/fetch-structure.js'
import { fetchUrlsTool } from './tools/fetch-urls.js'
import type { PageBackend } from './types.js'

export interface BrowserServerOptions {
  /** What fetches web pages. */
  readonly backend: 'http'
  /** Absolute path of the folder whose documents `file:///library/…` names. Default none: no files are read. */
  readonly library?: string
  /** Hosts that may be read although they are not public: `localhost`, `127.0.0.1`, `wiki.local:8080`. Default none. */
  readonly allowedHosts?: readonly string[]
  /** For one page with all its redirects. Default 20,000. */
  readonly timeoutMs?: number
}

type McpServer = ReturnType<typeof createMcpServer>

/** The readers, as a registry for a program and as an MCP server for any transport. */
export interface BrowserServer {
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
 * Makes the page readers `fetch_snippet`, `fetch_urls` and `fetch_structure`.
 * Throws `browser/bad-option` for a backend that is not there, a library that is no folder, a bad host or time.
 */
export function createServer(options: BrowserServerOptions): BrowserServer {
  checkOptions(options)
  const name = 'browser-server'
  const openPage = createOpenPage({
    backend: createBackend(options),
    ...(options.library === undefined ? {} : { library: createPageLibrary(options.library) }),
  })
  const registry = createToolRegistry({
    tools: [fetchSnippetTool(openPage), fetchUrlsTool(openPage), fetchStructureTool(openPage)],
  })
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

function createBackend({ allowedHosts, timeoutMs }: BrowserServerOptions): PageBackend {
  return createHttpBackend({
    userAgent: `icm-browser-server/${serverVersion}`,
    ...(allowedHosts === undefined ? {} : { allowedHosts }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })
}
