import { findStage } from '@icm/context-loader'
import { archiveStage } from '@icm/pipeline'
import type { Command, CommandContext } from '../run-cli.js'
import { openChosenWorkspace, workspaceOption } from '../workspace-option.js'
import { runCommand } from './run.js'

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
  const workspace = await openChosenWorkspace(context)
  const stage = findStage(workspace, context.arguments.positionals[0] ?? '')
  const moved = await archiveStage(workspace, stage, { fresh: context.arguments.flags.fresh === true })
  for (const path of moved) context.stdout.write(`archived: ${path}\n`)
  if (moved.length === 0) context.stdout.write(`${stage.name} has no output yet; nothing was archived\n`)
  const { flags, values } = context.arguments
  return runCommand.run({
    ...context,
    arguments: { positionals: [], flags, values: { ...values, stage: stage.name } },
  })
}
