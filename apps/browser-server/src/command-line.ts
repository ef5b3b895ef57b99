import { resolve } from 'node:path'
import type { CommandLineValues } from '@icm/mcp-server'
import type { BrowserServerOptions } from './create-server.js'

export const usage = `Usage: icm-browser-server [options]

An MCP server on standard input and output that reads web pages and documents:
fetch_snippet, fetch_urls, fetch_structure.

Options:
  --backend <name>     what fetches pages: http (the default)
  --library <folder>   folder whose documents file:///library/<path> names; without it no files are read
  --allow-host <host>  host that may be read although it is not public, e.g. localhost or 192.168.1.5:8080;
                       may be given several times
  --help               this text
  --version            the version
`

export const commandLineOptions = {
  backend: { type: 'string', default: 'http' },
  library: { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
} as const

/** What a command line asks for. A relative library is taken from `folder`. */
export function serverOptions(
  values: CommandLineValues<typeof commandLineOptions>,
  folder: string,
): BrowserServerOptions {
  return {
    // `createServer` refuses a name that is no backend.
    backend: values.backend as BrowserServerOptions['backend'],
    ...(values.library === undefined ? {} : { library: resolve(folder, values.library) }),
    ...(values['allow-host'] === undefined ? {} : { allowedHosts: values['allow-host'] }),
  }
}
