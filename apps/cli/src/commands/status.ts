import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Workspace } from '@icm/context-loader'
import { readStatus, type StageStatus, stateFolder } from '@icm/pipeline'
import { readLockOwner } from '@icm/safe-files'
import type { Waiting } from '@icm/tool-registry'
import { readConfiguration } from '../config.js'
import { nextCommand } from '../next-command.js'
import { count } from '../print-event.js'
import type { Command, CommandContext } from '../run-cli.js'
import { shellCommand } from '../shell-word.js'
import { printableJson, printableName } from '../style.js'
import { openWorkspaceEffects } from '../workspace-effects.js'
import { openChosenWorkspace, withPlaceholders, workspaceOption } from '../workspace-option.js'

/** `icm status`: how far every stage is, from the files alone. */
export const statusCommand: Command = {
  help: {
    name: 'status',
    summary: 'shows which stages are done, partial or stale, and what comes next',
    positionals: [],
    options: { ...workspaceOption, json: { type: 'boolean', description: 'print JSON' } },
    example: 'icm status',
  },
  run: showStatus,
}

async function showStatus(context: CommandContext): Promise<number> {
  const opened = await openChosenWorkspace(context)
  const workspace = withPlaceholders(opened, await readConfiguration(opened.root))
  const statuses = await readStatus(workspace)
  const waiting = await waitingIn(workspace)
  const runner = await readLockOwner(stateFolder(workspace).lock)
  if (context.arguments.flags.json === true) {
    context.stdout.write(
      printableJson({
        workspace: workspace.root,
        ...(runner === undefined ? {} : { inUseBy: runner }),
        stages: statuses.map(toJson),
        waiting,
        problems: workspace.problems,
      }),
    )
    return 0
  }
  const { style } = context
  const lines = [style.dim(printableName(`workspace ${workspace.root}`))]
  if (runner !== undefined)
    lines.push(
      style.yellow(printableName(`in use by process ${runner.pid} on ${runner.host} since ${runner.since}`)),
    )
  for (const problem of workspace.problems)
    lines.push(style.yellow(printableName(`${problem.severity}: ${problem.what} ${problem.instead}`)))
  const width = Math.max(0, ...statuses.map((status) => printableName(status.stage.name).length))
  for (const status of statuses) lines.push(...describeStage(status, width, context))
  if (waiting.length > 0) {
    const { describeWaiting } = await import('../describe-waiting.js')
    const decide = (['approve', 'reject'] as const).map((name) => shellCommand(nextCommand(context, name)))
    lines.push(style.yellow(`waits for you (${decide.join(' or ')} <id>):`))
    lines.push(...waiting.flatMap(describeWaiting).map((line) => `  ${line}`))
  }
  lines.push(...nextSteps(statuses, context))
  context.stdout.write(`${lines.join('\n')}\n`)
  return 0
}

/** The registry is loaded only where there is something to decide: `icm status` must be quick. */
async function waitingIn(workspace: Workspace): Promise<readonly Waiting[]> {
  const { root } = stateFolder(workspace)
  const folders = await Promise.all(['effects', 'consents'].map((name) => isThere(join(root, name))))
  if (!folders.includes(true)) return []
  const { listWaiting } = await import('@icm/tool-registry')
  return listWaiting(await openWorkspaceEffects(workspace))
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function describeStage(status: StageStatus, width: number, { style }: CommandContext): readonly string[] {
  const stale = status.staleReasons.length > 0
  const color = { done: stale ? style.yellow : style.green, partial: style.yellow, pending: style.dim }[
    status.state
  ]
  const state = stale ? 'stale' : status.state
  const items =
    status.items === undefined || status.items.total === 0 || status.state === 'done'
      ? ''
      : `, ${status.items.finished} of ${status.items.total} items finished`
  const detail =
    status.state === 'done'
      ? printableName(status.outputs.map((output) => output.path).join(', '))
      : `reads ${status.context.parts.length} files, about ${count(status.context.tokens)} tokens${items}`
  // An input that an earlier stage will write is no fault, only not there yet.
  const producers = [
    ...new Set(
      status.faults.flatMap((problem) =>
        typeof problem.details?.producer === 'string' ? [problem.details.producer] : [],
      ),
    ),
  ]
  const faults = status.faults.filter((problem) => problem.details?.producer === undefined)
  return [
    `${printableName(status.stage.name).padEnd(width)}  ${color(state.padEnd(7))}  ${detail}`,
    ...status.staleReasons.map((reason) => `${' '.repeat(width + 2)}${printableName(reason)}`),
    ...status.foreignFiles.map(
      (file) =>
        `${' '.repeat(width + 2)}${style.yellow(`${printableName(file)} is named by no output of the contract`)}`,
    ),
    ...(producers.length === 0
      ? []
      : [`${' '.repeat(width + 2)}${style.dim(printableName(`waits for ${producers.join(', ')}`))}`]),
    ...[...faults.map((problem) => problem.what), ...status.warnings].map(
      (text) => `${' '.repeat(width + 2)}${style.yellow(printableName(text))}`,
    ),
  ]
}

function nextSteps(statuses: readonly StageStatus[], context: CommandContext): readonly string[] {
  const next = statuses.find((status) => status.state !== 'done')
  if (next === undefined) {
    const stale = statuses.filter((status) => status.staleReasons.length > 0)
    const redo = nextCommand(context, 'redo')
    const again = stale.map(({ stage }) => `to run it again: ${shellCommand([...redo, stage.name])}`)
    return [
      stale.length === 0 ? 'every stage is done' : 'every stage is done, not all from what is there now',
      ...again,
    ]
  }
  const before = statuses[statuses.indexOf(next) - 1]
  const review =
    before === undefined ? '' : `review ${before.outputs.map((output) => output.path).join(', ')}, then `
  const mend = next.faults.some((problem) => problem.details?.producer === undefined)
    ? `mend ${next.stage.name}, then `
    : ''
  const run = shellCommand(nextCommand(context, 'run'))
  return [`${printableName(`next: ${review}${mend}`)}${run} ${printableName(`(${next.stage.name})`)}`]
}

function toJson(status: StageStatus): object {
  const { stage, state, outputs, items, staleReasons, foreignFiles, faults, warnings, context } = status
  return {
    stage: stage.name,
    state,
    outputs,
    ...(items === undefined ? {} : { items }),
    staleReasons,
    foreignFiles,
    faults,
    warnings,
    reads: context.parts.map(({ label, layer, tokens }) => ({ label, layer, tokens })),
    tokens: context.tokens,
    problems: context.problems,
  }
}
