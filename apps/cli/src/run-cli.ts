import { nearestName } from '@icm/errors'
import type { CommandArguments, CommandHelp } from './args.js'
import { formatCommandHelp, parseCommand } from './args.js'
import { CliError, exitCodeOf } from './errors.js'
import type { ChosenModel } from './open-model.js'
import { formatError } from './print-error.js'
import { createStyle, type Style, type TextStream } from './style.js'
import { version } from './version.js'

/** The world as a command sees it; tests and other programs pass their own. */
export interface CliEnvironment {
  readonly env: NodeJS.ProcessEnv
  readonly currentFolder: string
  readonly stdout: TextStream
  readonly stderr: TextStream
  /** Undefined without a terminal. */
  readonly ask?: Ask
  readonly signal: AbortSignal
  /** A model that is open already and that its owner closes; used instead of one that the command would choose. */
  readonly model?: ChosenModel
}

/** Asks a yes/no question. An end of the input is a no; what the Enter key alone means is `'no'` by default. */
export type Ask = (question: string, options?: { readonly enterMeans?: 'yes' | 'no' }) => Promise<boolean>

export interface CommandContext extends CliEnvironment {
  readonly style: Style
  /** How this program was called, for hints: `icm`, or `npx icm`. */
  readonly program: string
  readonly arguments: CommandArguments
}

export interface Command {
  readonly help: CommandHelp
  /** Resolves to the exit code. */
  run(context: CommandContext): Promise<number>
}

// Loaded on use: `icm status` must not wait for the parts that `icm run` needs.
const commands: { readonly [name: string]: () => Promise<Command> } = {
  init: async () => (await import('./commands/init.js')).initCommand,
  run: async () => (await import('./commands/run.js')).runCommand,
  status: async () => (await import('./commands/status.js')).statusCommand,
  probe: async () => (await import('./commands/probe.js')).probeCommand,
  check: async () => (await import('./commands/check.js')).checkCommand,
  redo: async () => (await import('./commands/redo.js')).redoCommand,
  tools: async () => (await import('./commands/tools.js')).toolsCommand,
  approve: async () => (await import('./commands/decide.js')).approveCommand,
  reject: async () => (await import('./commands/decide.js')).rejectCommand,
  doctor: async () => (await import('./commands/doctor.js')).doctorCommand,
}

/** Runs one `icm` command and resolves to its exit code; prints errors instead of throwing them. */
export async function runCli(words: readonly string[], environment: CliEnvironment): Promise<number> {
  const style = createStyle(environment.stdout, environment.env)
  const [name, ...rest] = words
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help')
      return await printHelp(rest[0], environment)
    if (name === '--version' || name === '-v') {
      environment.stdout.write(`${version()}\n`)
      return 0
    }
    const command = await loadCommand(name)
    if (rest.includes('--help') || rest.includes('-h')) {
      environment.stdout.write(formatCommandHelp(command.help))
      return 0
    }
    const program = environment.env.npm_command === 'exec' ? 'npx icm' : 'icm'
    return await command.run({ ...environment, style, program, arguments: parseCommand(command.help, rest) })
  } catch (error) {
    if (environment.signal.aborted) {
      environment.stderr.write(
        `\n${style.yellow('interrupted')}: what was finished is saved; the same command goes on from there\n`,
      )
      return 130
    }
    environment.stderr.write(
      formatError(error, createStyle(environment.stderr, environment.env), environment.env),
    )
    return exitCodeOf(error)
  }
}

async function loadCommand(name: string): Promise<Command> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load !== undefined) return load()
  const names = Object.keys(commands)
  const nearest = nearestName(name, names)
  throw new CliError({
    code: 'cli/usage',
    what: `There is no command "${name}".`,
    why: `The commands are: ${names.join(', ')}.`,
    instead: nearest === undefined ? 'See icm --help.' : `Did you mean "icm ${nearest}"?`,
  })
}

async function printHelp(name: string | undefined, { stdout }: CliEnvironment): Promise<number> {
  if (name !== undefined) {
    stdout.write(formatCommandHelp((await loadCommand(name)).help))
    return 0
  }
  const helps = await Promise.all(Object.values(commands).map(async (load) => (await load()).help))
  const width = Math.max(...helps.map((help) => help.name.length))
  stdout.write(
    [
      'icm runs an ICM workspace on a local model: numbered folders are stages, you review between them.',
      '',
      'Usage: icm <command> [options]',
      '',
      ...helps.map((help) => `  ${help.name.padEnd(width)}  ${help.summary}`),
      '',
      'icm <command> --help shows its options and an example.',
      'Exit codes: 0 done or at a gate, 1 failed, 2 usage or configuration, 3 waits for a person, 4 check found errors, 130 interrupted.',
      '',
    ].join('\n'),
  )
  return 0
}
