import { IcmError } from '@icm/errors'
import { serveStdio } from '@icm/mcp-server'
import { createServer } from './create-server.js'
import { parseArguments, usage } from './parse-arguments.js'
import { serverVersion } from './server-version.js'

try {
  const command = parseArguments(process.argv.slice(2), process.cwd())
  if (command.kind === 'help') process.stdout.write(usage)
  else if (command.kind === 'version') process.stdout.write(`${serverVersion}\n`)
  else {
    const server = createServer(command.options)
    await serveStdio(server.createMcpServer(), { onClose: () => server.close() })
  }
} catch (error) {
  // Standard output is for the protocol; a host shows this to the person.
  const text = IcmError.isInstance(error) ? error.message : error instanceof Error ? error.stack : error
  process.stderr.write(`${text}\n`)
  process.exitCode = 2
}
