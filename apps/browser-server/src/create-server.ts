import { createRegistryServer, type RegistryServer } from '@icm/mcp-server'
import { createToolRegistry } from '@icm/tool-registry'
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

/** The readers, as a registry for a program and as an MCP server for any transport. */
export type BrowserServer = RegistryServer

/**
 * Makes the page readers `fetch_snippet`, `fetch_urls` and `fetch_structure`.
 * Throws `browser/bad-option` for a backend that is not there, a library that is no folder, a bad host or time.
 */
export function createServer(options: BrowserServerOptions): BrowserServer {
  checkOptions(options)
  const openPage = createOpenPage({
    backend: createBackend(options),
    ...(options.library === undefined ? {} : { library: createPageLibrary(options.library) }),
  })
  const registry = createToolRegistry({
    tools: [fetchSnippetTool(openPage), fetchUrlsTool(openPage), fetchStructureTool(openPage)],
  })
  return createRegistryServer(registry, { name: 'browser-server', version: serverVersion })
}

function createBackend({ allowedHosts, timeoutMs }: BrowserServerOptions): PageBackend {
  return createHttpBackend({
    userAgent: `icm-browser-server/${serverVersion}`,
    ...(allowedHosts === undefined ? {} : { allowedHosts }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })
}
