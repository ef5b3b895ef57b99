import type { Command, CommandContext } from '../run-cli.js'
import { workspaceOption } from '../workspace-option.js'
import { runCommand, runStages } from './run.js'

const { all: _, stage: __, ...runOptions } = runCommand.help.options

/** `icm redo`: archives a stage's output and runs the stage again. */
export const redoCommand: Command = {
  help: {
    name: 'redo',
    summary: "archives a stage's output and runs the stage again",
    positionals: ['<stage>'],
    options: {
      ...workspaceOption,
      fresh: {
        type: 'boolean',
        description: 'write every for-each item anew, also those whose request is unchanged',
      },
      ...runOptions,
    },
    example: 'icm redo 04-draft',
    notes: 'Nothing is deleted: the old output lies in .icm/archive.',
  },
  run: redoStage,
}

async function redoStage(context: CommandContext): Promise<number> {
  const { positionals, flags, values } = context.arguments
  const [stage = ''] = positionals
  return runStages(context, { stage, redo: flags.fresh === true ? 'fresh' : 'reuse-items' }, values)
}
