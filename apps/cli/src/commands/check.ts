import { type CheckedStage, checkWorkspace, describeLoadProblem, type LoadProblem } from '@icm/context-loader'
import { readConfiguration } from '../config.js'
import { knownServers, listServerTools } from '../list-server-tools.js'
import type { Command, CommandContext } from '../run-cli.js'
import { printableJson, printableName } from '../style.js'
import { openChosenWorkspace, withPlaceholders, workspaceOption } from '../workspace-option.js'

/** `icm check`: everything that is wrong with a workspace; calls no model and changes nothing. */
export const checkCommand: Command = {
  help: {
    name: 'check',
    summary: 'finds what is wrong with a workspace: contracts, paths, hand-offs, tools; names the fixes',
    positionals: [],
    options: {
      ...workspaceOption,
      servers: {
        type: 'boolean',
        description: 'start the tool servers that contracts name, and check their tools',
      },
      'trust-workspace': {
        type: 'boolean',
        description: 'with --servers: start the programs that the workspace names without asking',
      },
      json: { type: 'boolean', description: 'print JSON, with the contracts as they were read' },
    },
    example: 'icm check --workspace ~/courses/local-models',
    notes:
      'One line for each problem: file:line:col severity code message, and what to do. docs/check.md explains the codes.\nExit code 4 when there are errors; warnings and information do not count.',
  },
  run: check,
}

async function check(context: CommandContext): Promise<number> {
  const opened = await openChosenWorkspace(context)
  const configuration = await readConfiguration(opened.root)
  const workspace = withPlaceholders(opened, configuration)
  const asked =
    context.arguments.flags.servers === true
      ? await listServerTools(workspace, configuration, context)
      : undefined
  // Without a configuration the servers may stand in that of another program.
  const servers = asked?.tools ?? (configuration.path === undefined ? undefined : knownServers(configuration))
  const { stages, problems } = await checkWorkspace(workspace, {
    // Only a window that somebody chose is a limit; without a configuration the default would be a guess.
    ...(configuration.path === undefined ? {} : { budget: configuration.model.contextWindow }),
    ...(servers === undefined ? {} : { servers }),
    signal: context.signal,
  })
  const found = [...problems, ...(asked?.problems ?? [])]
  if (context.arguments.flags.json === true) {
    context.stdout.write(
      printableJson({ workspace: workspace.root, stages: stages.map(stageJson), problems: found }),
    )
  } else {
    for (const problem of found) context.stdout.write(`${problemLine(problem, context)}\n`)
    context.stderr.write(context.style.dim(`${summary(stages.length, found)}\n`))
  }
  return found.some((problem) => problem.severity === 'error') ? 4 : 0
}

function problemLine(problem: LoadProblem, { style }: CommandContext): string {
  const line = printableName(describeLoadProblem(problem))
  return { error: style.red, warning: style.yellow, info: style.dim }[problem.severity](line)
}

function summary(stages: number, problems: readonly LoadProblem[]): string {
  const counts = (['error', 'warning', 'info'] as const)
    .map((severity) => ({ severity, count: problems.filter((one) => one.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}${count === 1 || severity === 'info' ? '' : 's'}`)
  return `${stages} ${stages === 1 ? 'stage' : 'stages'}, ${counts.join(', ') || 'no problems'}`
}

function stageJson({ stage, contract, inputs, outputs, context }: CheckedStage) {
  return {
    name: stage.name,
    contract,
    inputs: inputs.map(({ input, ...rest }) => ({ line: input.line, ...rest })),
    outputs,
    parts: context.parts.map(({ text: _, ...part }) => ({ ...part, tokens: part.tokens })),
    tokens: context.tokens,
  }
}
