import { IcmError } from '@icm/errors'
import { type CommandLineOptions, type CommandLineValues, parseCommandLine } from './parse-command-line.js'
import type { RegistryServer } from './registry-server.js'
import { serveStdio } from './serve-stdio.js'

/** A server as a program of its own. */
export interface ServerProgram<Options extends CommandLineOptions> {
  /** Stands in errors. */
  readonly name: string
  /** What `--version` prints. */
  readonly version: string
  /** What `--help` prints. */
  readonly usage: string
  /** Its options besides `--help` and `--version`, as `parseArgs` of `node:util` takes them. */
  readonly options: Options
  readonly createServer: (values: CommandLineValues<Options>) => RegistryServer
}

/**
 * Runs a program that serves over standard input and output, from the command line of this process (see `serveStdio`
 * for its end). Whatever keeps it from starting goes to standard error, and the process then ends with code 2.
 * Resolves once the server listens, or when there is nothing to serve.
 */
export async function serveFromCommandLine<const Options extends CommandLineOptions>(
  program: ServerProgram<Options>,
): Promise<void> {
  try {
    const command = parseCommandLine(process.argv.slice(2), program)
    if (command.kind === 'help') process.stdout.write(program.usage)
    else if (command.kind === 'version') process.stdout.write(`${program.version}\n`)
    else {
      const server = program.createServer(command.values)
      await serveStdio(server.createMcpServer(), { onClose: () => server.close() })
    }
  } catch (error) {
    // Standard output is for the protocol; a host shows this to the person.
    const text = IcmError.isInstance(error) ? error.message : error instanceof Error ? error.stack : error
    process.stderr.write(`${text}\n`)
    process.exitCode = 2
  }
}
