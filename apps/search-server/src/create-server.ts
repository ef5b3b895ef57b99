import { createRegistryServer, type RegistryServer } from '@icm/mcp-server'
import { createToolRegistry } from '@icm/tool-registry'
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

/** The search tool, as a registry for a program and as an MCP server for any transport. */
export type SearchServer = RegistryServer

/**
 * Makes the tool `search`. The index is built by the first search.
 * Throws `search/bad-option` for a backend that is not there, `search/library-missing` for a library that is no folder.
 */
export function createServer(options: SearchServerOptions): SearchServer {
  checkOptions(options)
  const registry = createToolRegistry({ tools: [searchTool(createFolderBackend(options))] })
  return createRegistryServer(registry, { name: 'search-server', version: serverVersion })
}
