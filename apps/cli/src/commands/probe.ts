import { estimateTokens, loadStage, renderContext, renderItem, type StageContext } from '@icm/context-loader'
import { CliError } from '../errors.js'
import { count } from '../print-event.js'
import type { Command, CommandContext } from '../run-cli.js'
import { printable, printableJson, printableName } from '../style.js'
import { openChosenWorkspace, workspaceOption } from '../workspace-option.js'

/** `icm probe`: exactly what a stage's model would read; calls no model. */
export const probeCommand: Command = {
  help: {
    name: 'probe',
    summary: 'prints the exact text that a stage sends, and how many tokens it takes',
    positionals: ['<stage>'],
    options: {
      ...workspaceOption,
      item: { type: 'string', value: '<n>', description: 'for a for-each stage: with its n-th item' },
      json: { type: 'boolean', description: 'print JSON' },
    },
    example: 'icm probe 03-outline',
    notes:
      'The text goes to stdout, the table of its parts to stderr. Token counts are estimates; no model is called.',
  },
  run: probeStage,
}

async function probeStage(context: CommandContext): Promise<number> {
  const workspace = await openChosenWorkspace(context)
  const loaded = await loadStage(workspace, context.arguments.positionals[0] ?? '')
  const item = chooseItem(loaded, context.arguments.values.item)
  const shown = item === undefined ? loaded : { ...loaded, user: renderItem(loaded, item) }
  const tokens =
    item === undefined ? loaded.tokens : estimateTokens(shown.system) + estimateTokens(shown.user)
  const failed = loaded.problems.some((problem) => problem.severity === 'error')
  if (context.arguments.flags.json === true) {
    const { stage, system, user, items, parts, dropped, problems } = shown
    const list = parts.map(({ text: _, ...part }) => part)
    context.stdout.write(
      printableJson({ stage: stage.name, system, user, items, parts: list, dropped, problems, tokens }),
    )
  } else {
    const text = `${renderContext(shown)}\n`
    // Exact in a file or a pipe; a terminal would obey what stands in the material.
    context.stdout.write(context.stdout.isTTY === true ? printable(text) : text)
    context.stderr.write(partsTable(shown, tokens, context))
  }
  return failed ? 1 : 0
}

function chooseItem(loaded: StageContext, wanted: string | undefined) {
  if (wanted === undefined) return undefined
  const found = loaded.items.find((item) => String(item.index) === wanted)
  if (found !== undefined) return found
  const { stage, items, contract } = loaded
  const list = items.map((item) => `${item.index} ${item.heading}`).join(', ')
  const none =
    contract.forEach === undefined
      ? `${stage.name} is no for-each stage.`
      : `${contract.forEach.path} has no items yet.`
  throw new CliError({
    code: 'cli/usage',
    what: `Stage ${stage.name} was not shown with item ${wanted}: there is no such item.`,
    why: items.length === 0 ? none : `Its items are: ${list}.`,
    instead:
      items.length === 0 ? 'Leave out --item.' : `Give --item a number from 1 to ${items.at(-1)?.index}.`,
  })
}

function partsTable(context: StageContext, tokens: number, { style }: CommandContext): string {
  const width = Math.max(0, ...context.parts.map((part) => printableName(part.label).length))
  const rows = context.parts.map(
    (part) =>
      `  layer ${part.layer}  ${printableName(part.label).padEnd(width)}  ${count(part.characters).padStart(7)} characters  ${count(part.tokens).padStart(6)} tokens${part.scope.kind === 'full' ? '' : `  (${printableName(part.scope.text)})`}`,
  )
  const items =
    context.items.length === 0
      ? []
      : [`  for each: ${printableName(context.items.map((item) => item.heading).join(' | '))}`]
  const dropped = context.dropped.map((part) => printableName(`  not loaded: ${part.label}: ${part.reason}`))
  const problems = context.problems.map((problem) =>
    printable(
      `${problem.path}:${problem.line}:${problem.column} ${problem.severity} ${problem.code} ${problem.what} ${problem.instead}`,
    ),
  )
  return `${style.dim([`about ${count(tokens)} tokens (estimate)`, ...rows, ...items, ...dropped].join('\n'))}\n${problems.map((problem) => `${style.yellow(problem)}\n`).join('')}`
}
