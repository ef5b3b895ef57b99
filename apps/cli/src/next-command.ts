import type { CommandContext } from './run-cli.js'

/** What decides which model answers, and so belongs to a workspace's next run as much as the workspace itself. */
const runOptions = ['workspace', 'provider', 'model', 'host', 'record', 'replay'] as const

/** The words of a command that goes on where this one ends, with the options that the person gave to this one. */
export function nextCommand(
  { program, arguments: { values } }: CommandContext,
  command: 'run' | 'redo' | 'status' | 'approve' | 'reject',
): readonly string[] {
  const options = command === 'run' || command === 'redo' ? runOptions : (['workspace'] as const)
  const kept = options.flatMap((name) => {
    const value = values[name]
    if (value === undefined) return []
    // A value that looks like an option would be taken for one.
    return value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value]
  })
  return [...program.split(' '), command, ...kept]
}
