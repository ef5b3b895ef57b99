import { type ParseArgsConfig, parseArgs } from 'node:util'
import { nearestName } from '@icm/errors'
import { McpServerError } from './errors.js'

/** Options as `parseArgs` of `node:util` describes them. */
export type CommandLineOptions = NonNullable<ParseArgsConfig['options']>

/** What was given for them, defaults filled in. */
export type CommandLineValues<Options extends CommandLineOptions> = ReturnType<
  typeof parseArgs<{ options: Options; strict: true }>
>['values']

export type CommandLine<Options extends CommandLineOptions> =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'serve'; readonly values: CommandLineValues<Options> }

const always = { help: { type: 'boolean' }, version: { type: 'boolean' } } as const

/**
 * Reads the command line of a server (without node and script); `--help` and `--version` are added to its options.
 * Throws `mcp-server/bad-command-line` for an option that is not there, a missing value and a bare word.
 */
export function parseCommandLine<Options extends CommandLineOptions>(
  argv: readonly string[],
  program: { readonly name: string; readonly options: Options },
): CommandLine<Options> {
  const { help, version, ...values } = parse(argv, program.name, { ...program.options, ...always })
  if (help === true) return { kind: 'help' }
  if (version === true) return { kind: 'version' }
  return { kind: 'serve', values: values as CommandLineValues<Options> }
}

function parse(argv: readonly string[], name: string, options: CommandLineOptions) {
  try {
    return parseArgs({ args: [...argv], options, strict: true }).values
  } catch (error) {
    const known = Object.keys(options)
    const given = argv
      .filter((argument) => argument.startsWith('-'))
      .map((argument) => argument.replace(/^-+|=.*$/g, ''))
    const near = nearestName(given.find((option) => !known.includes(option)) ?? '', known)
    throw new McpServerError(
      {
        code: 'mcp-server/bad-command-line',
        what: `${name} was not started: the command line was not understood.`,
        why: error instanceof Error ? (error.message.split('. ')[0] ?? '').concat('.') : '',
        instead:
          near === undefined
            ? 'Run it with --help for the options.'
            : `Did you mean --${near}? --help lists the options.`,
      },
      { cause: error },
    )
  }
}
