import { describeWaiting } from '../describe-waiting.js'
import { CliError } from '../errors.js'
import { nextCommand } from '../next-command.js'
import type { Command, CommandContext } from '../run-cli.js'
import { shellCommand } from '../shell-word.js'
import { printableName } from '../style.js'
import { openWorkspaceEffects } from '../workspace-effects.js'
import { openChosenWorkspace, workspaceOption } from '../workspace-option.js'

const options = {
  ...workspaceOption,
  note: { type: 'string', value: '<text>', description: 'your reason; the model reads it' },
} as const

const notes =
  'The id, or the beginning of it, is what icm status shows; without one, the only call that waits is meant.\nA consent is for exactly the arguments that were shown, and good for one call.'

/** `icm approve`: a call that waits may run once; an effect in doubt may be tried again. */
export const approveCommand: Command = {
  help: {
    name: 'approve',
    summary: 'lets a call that waits for you run, once',
    positionals: ['[id]'],
    options,
    example: 'icm approve 3f9a',
    notes,
  },
  run: (context) => decide(context, true),
}

/** `icm reject`: a call that waits does not run; an effect in doubt is never repeated. */
export const rejectCommand: Command = {
  help: {
    name: 'reject',
    summary: 'refuses a call that waits for you',
    positionals: ['[id]'],
    options,
    example: 'icm reject 3f9a --note "not these files"',
    notes,
  },
  run: (context) => decide(context, false),
}

async function decide(context: CommandContext, approved: boolean): Promise<number> {
  const [id] = context.arguments.positionals
  const { note } = context.arguments.values
  const workspace = await openChosenWorkspace(context)
  const { decideWaiting } = await import('@icm/tool-registry')
  const store = await openWorkspaceEffects(workspace)
  const decided = await decideWaiting(store, id, { approved, ...(note === undefined ? {} : { note }) })
  if (decided.status !== 'decided') {
    throw new CliError({
      code: 'cli/nothing-decided',
      what:
        decided.status === 'ambiguous'
          ? `Nothing was decided: ${id === undefined ? 'several calls wait' : `several ids begin with "${id}"`}.`
          : `Nothing was decided: ${id === undefined ? 'nothing waits for you' : `nothing that waits has the id "${id}"`}.`,
      why:
        decided.among.length === 0
          ? 'No call waits for consent, and no effect is in doubt.'
          : `These wait:\n${decided.among.flatMap(describeWaiting).join('\n')}`,
      instead:
        decided.among.length === 0
          ? `See ${shellCommand(nextCommand(context, 'status'))}.`
          : 'Give one of these ids, or enough of its beginning.',
    })
  }
  const { waiting } = decided
  const what = waiting.kind === 'consent' ? waiting.consent.request.toolName : waiting.effect.toolName
  const effect = approved
    ? waiting.kind === 'consent'
      ? 'may run once, with exactly these arguments'
      : 'may be tried again'
    : waiting.kind === 'consent'
      ? 'will not run'
      : 'will never be repeated'
  context.stdout.write(
    `${printableName(`${what} (${waiting.id}) ${effect}`)}\ngo on with: ${shellCommand(nextCommand(context, 'run'))}\n`,
  )
  return 0
}
