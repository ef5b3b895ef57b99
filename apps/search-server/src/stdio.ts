import { serveFromCommandLine } from '@icm/mcp-server'
import { commandLineOptions, serverOptions, usage } from './command-line.js'
import { createServer } from './create-server.js'
import { serverVersion } from './server-version.js'

await serveFromCommandLine({
  name: 'search-server',
  version: serverVersion,
  usage,
  options: commandLineOptions,
  createServer: (values) => createServer(serverOptions(values, process.cwd())),
})
