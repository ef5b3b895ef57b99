import { resolve } from 'node:path'
import type { CommandLineValues } from '@icm/mcp-server'
import type { SearchServerOptions } from './create-server.js'

export const usage = `Usage: icm-search-server --library <folder> [options]

An MCP server on standard input and output with one tool, search, over the .md, .txt and .html documents of a folder.

Options:
  --library <folder>  the folder; its documents get the addresses file:///library/<path>
  --backend <name>    where results come from: folder (the default)
  --help              this text
  --version           the version
`

export const commandLineOptions = {
  backend: { type: 'string', default: 'folder' },
  library: { type: 'string' },
} as const

/** What a command line asks for. A relative library is taken from `folder`. */
export function serverOptions(
  values: CommandLineValues<typeof commandLineOptions>,
  folder: string,
): SearchServerOptions {
  return {
    // `createServer` refuses a name that is no backend.
    backend: values.backend as SearchServerOptions['backend'],
    library: values.library === undefined ? '' : resolve(folder, values.library),
  }
}
