import { parseArgs } from 'node:util'
import { nearestName } from '@icm/errors'
import { CliError } from './errors.js'

export interface OptionHelp {
  readonly type: 'string' | 'boolean'
  /** Shown after a string option, such as `<folder>`. */
  readonly value?: string
  readonly description: string
}

/** What a command takes and how its help reads. */
export interface CommandHelp {
  readonly name: string
  readonly summary: string
  /** Positional arguments as the usage line shows them, such as `[dir]` or `<stage>`. */
  readonly positionals: readonly string[]
  readonly options: { readonly [name: string]: OptionHelp }
  readonly example: string
  /** Shown under the options. */
  readonly notes?: string
}

export interface CommandArguments {
  readonly positionals: readonly string[]
  readonly flags: { readonly [name: string]: boolean | undefined }
  readonly values: { readonly [name: string]: string | undefined }
}

/** Parses the words after the command's name. Throws `cli/usage` and names the nearest option. */
export function parseCommand(help: CommandHelp, words: readonly string[]): CommandArguments {
  const names = Object.keys(help.options)
  for (const word of words) {
    if (word === '--') break
    const name = /^--(?:no-)?([^=]+)/.exec(word)?.[1]
    if (name !== undefined && !names.includes(name)) throw unknownOption(help, name, names)
  }
  try {
    const parsed = parseArgs({
      args: [...words],
      options: Object.fromEntries(
        names.map((name) => [name, { type: help.options[name]?.type ?? 'boolean' }]),
      ),
      allowPositionals: true,
      strict: true,
    })
    checkPositionals(help, parsed.positionals)
    const entries = Object.entries(parsed.values)
    const [empty] = entries.find(([, value]) => value === '') ?? []
    if (empty !== undefined) throw usageError(help, `--${empty} was given an empty text.`)
    return {
      positionals: parsed.positionals,
      flags: Object.fromEntries(
        entries.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
      ),
      values: Object.fromEntries(
        entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      ),
    }
  } catch (cause) {
    if (cause instanceof CliError) throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    // Node's own words for a missing value name no command.
    const missing = /^Option '.*(--[\w-]+) <value>' argument missing/.exec(message)?.[1]
    throw usageError(help, missing === undefined ? message : `${missing} needs a value.`, { cause })
  }
}

/** The help text of one command. */
export function formatCommandHelp(help: CommandHelp): string {
  const rows = Object.entries(help.options).map(
    ([name, option]) =>
      [`--${name}${option.value === undefined ? '' : ` ${option.value}`}`, option.description] as const,
  )
  const width = Math.max(0, ...rows.map(([left]) => left.length))
  return [
    `icm ${help.name} – ${help.summary}`,
    '',
    `Usage: icm ${[help.name, ...help.positionals].join(' ')}${rows.length === 0 ? '' : ' [options]'}`,
    ...(rows.length === 0
      ? []
      : ['', 'Options:', ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)]),
    ...(help.notes === undefined ? [] : ['', help.notes]),
    '',
    `Example: ${help.example}`,
    '',
  ].join('\n')
}

function checkPositionals(help: CommandHelp, positionals: readonly string[]): void {
  const required = help.positionals.filter((name) => name.startsWith('<'))
  if (positionals.length < required.length) {
    throw usageError(help, `${required.slice(positionals.length).join(' ')} is missing.`)
  }
  if (positionals.length > help.positionals.length) {
    const extra = positionals[help.positionals.length] ?? ''
    const instead =
      help.options.stage === undefined ? undefined : `Did you mean "icm ${help.name} --stage ${extra}"?`
    throw usageError(help, `"${extra}" is one argument too many.`, { instead })
  }
  const empty = positionals.indexOf('')
  if (empty !== -1) throw usageError(help, `${help.positionals[empty]} was given an empty text.`)
}

function unknownOption(help: CommandHelp, name: string, names: readonly string[]): CliError {
  const nearest = nearestName(name, names)
  return new CliError({
    code: 'cli/usage',
    what: `icm ${help.name} was not run: it has no option --${name}.`,
    why:
      names.length === 0
        ? 'It takes no options.'
        : `Its options are: ${names.map((known) => `--${known}`).join(', ')}.`,
    instead: nearest === undefined ? `See icm ${help.name} --help.` : `Did you mean --${nearest}?`,
  })
}

function usageError(
  help: CommandHelp,
  why: string,
  { instead, cause }: { readonly instead?: string | undefined; readonly cause?: unknown } = {},
): CliError {
  return new CliError(
    {
      code: 'cli/usage',
      what: `icm ${help.name} was not run.`,
      why,
      instead: instead ?? `See icm ${help.name} --help.`,
    },
    { cause },
  )
}
