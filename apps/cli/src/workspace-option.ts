import { resolve } from 'node:path'
import { findWorkspaceRoot, openWorkspace, type Workspace } from '@icm/context-loader'
import { IcmError } from '@icm/errors'
import type { OptionHelp } from './args.js'
import type { Configuration } from './config.js'
import { CliError } from './errors.js'
import type { CommandContext } from './run-cli.js'

/** The option that every command on a workspace has. */
export const workspaceOption: { readonly workspace: OptionHelp } = {
  workspace: {
    type: 'string',
    value: '<folder>',
    description: 'the workspace; default: this folder, ./workspace, or the nearest parent that is one',
  },
}

/** The workspace with what its configuration says about the names of outputs. */
export function withPlaceholders(
  workspace: Workspace,
  { placeholders }: Pick<Configuration, 'placeholders'>,
): Workspace {
  return { ...workspace, placeholders }
}

/** Opens the workspace that a command means. Throws `cli/no-workspace` when there is none here. */
export async function openChosenWorkspace(context: CommandContext): Promise<Workspace> {
  const named = context.arguments.values.workspace
  if (named !== undefined) return openWorkspace(resolve(context.currentFolder, named))
  const root = await findWorkspaceRoot(context.currentFolder)
  if (root !== undefined) return openWorkspace(root)
  // A folder of workspaces: its own error names them.
  const error: unknown = await openWorkspace(context.currentFolder).catch((cause: unknown) => cause)
  if (
    IcmError.isInstance(error) &&
    Array.isArray(error.details.workspaces) &&
    error.details.workspaces.length > 0
  )
    throw error
  throw new CliError({
    code: 'cli/no-workspace',
    what: `No workspace was found from ${context.currentFolder}.`,
    why: 'A workspace has numbered folders with a CONTEXT.md each, in itself, in stages/ or in pipeline/; this folder, ./workspace and the parents have none.',
    instead: 'Go into a workspace, name one with --workspace, or make one: icm init my-course.',
  })
}
