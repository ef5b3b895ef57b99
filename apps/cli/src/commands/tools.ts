import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { estimateTokens, type Workspace } from '@icm/context-loader'
import { stateFolder } from '@icm/pipeline'
import type { RecordedSession, ToolFinding, ToolStatistics } from '@icm/tool-registry'
import { readConfiguration } from '../config.js'
import { CliError } from '../errors.js'
import { nextCommand } from '../next-command.js'
import { count } from '../print-event.js'
import { readTools } from '../read-tools.js'
import type { Command, CommandContext } from '../run-cli.js'
import { shellCommand } from '../shell-word.js'
import { printableJson, printableName } from '../style.js'
import { openChosenWorkspace, workspaceOption } from '../workspace-option.js'

/** Sessions that statistics look back on. */
const lastSessions = 100

/** Faults that keep a set of tools from working; the others are advice. */
const serious: readonly ToolFinding['code'][] = ['name-clash', 'changed']

/** `icm tools`: what the tools of a workspace are, what is wrong with them, and how they were used. */
export const toolsCommand: Command = {
  help: {
    name: 'tools',
    summary: 'lists the tools of the servers, checks them, or shows how they were used',
    positionals: ['<list|check|stats>'],
    options: {
      ...workspaceOption,
      stage: { type: 'string', value: '<stage>', description: 'only the tools that this stage may use' },
      'trust-workspace': {
        type: 'boolean',
        description: "let the workspace's own programs start without asking",
      },
      json: { type: 'boolean', description: 'print JSON' },
    },
    example: 'icm tools check --stage 02-research',
    notes: `list: every tool with the tokens that its definition takes in each request.
check: overlapping or unclear descriptions, similar names, what is not declared, tools that nobody uses; exit code 4 when tools clash.
stats: uses, errors and times over the last ${lastSessions} sessions of this workspace; starts no server.`,
  },
  run: tools,
}

async function tools(context: CommandContext): Promise<number> {
  const [action = ''] = context.arguments.positionals
  const workspace = await openChosenWorkspace(context)
  switch (action) {
    case 'list':
      return listTools(workspace, context)
    case 'check':
      return checkToolSet(workspace, context)
    case 'stats':
      return showStatistics(workspace, context)
    default:
      throw new CliError({
        code: 'cli/usage',
        what: `icm tools ${action} was not run.`,
        why: 'There is list, check and stats.',
        instead: 'See icm tools --help.',
      })
  }
}

async function listTools(workspace: Workspace, context: CommandContext): Promise<number> {
  const found = await readTools(workspace, await readConfiguration(workspace.root), context)
  const { checkTools } = await import('@icm/tool-registry')
  const { tokens, totalTokens } = checkTools(found, { countTokens: estimateTokens })
  const tokensOf = new Map(tokens.map((tool) => [tool.name, tool.tokens]))
  if (context.arguments.flags.json === true) {
    const listed = found.map(({ name, description }) => ({
      name,
      description,
      tokens: tokensOf.get(name),
    }))
    context.stdout.write(printableJson({ tools: listed, totalTokens }))
    return 0
  }
  const rows = found.map(({ name, description }) => [
    printableName(name),
    count(tokensOf.get(name) ?? 0),
    printableName(firstSentence(description)),
  ])
  context.stdout.write(table([['tool', 'tokens', 'what it does'], ...rows]))
  context.stdout.write(`${found.length} tools, about ${count(totalTokens)} tokens in each request\n`)
  return 0
}

async function checkToolSet(workspace: Workspace, context: CommandContext): Promise<number> {
  const configuration = await readConfiguration(workspace.root)
  const found = await readTools(workspace, configuration, context)
  const { checkTools } = await import('@icm/tool-registry')
  const { findings, totalTokens } = checkTools(found, {
    countTokens: estimateTokens,
    contextWindow: configuration.model.contextWindow,
    statistics: await readStatistics(workspace),
  })
  if (context.arguments.flags.json === true) context.stdout.write(printableJson({ findings, totalTokens }))
  else {
    for (const { code, tools: names, what, instead } of findings)
      context.stdout.write(`${printableName(`${code} ${names.join(', ')}: ${what} ${instead}`)}\n`)
    context.stderr.write(
      context.style.dim(
        `${found.length} tools, about ${count(totalTokens)} tokens in each request, ${findings.length || 'no'} findings\n`,
      ),
    )
  }
  return findings.some(({ code }) => serious.includes(code)) ? 4 : 0
}

async function showStatistics(workspace: Workspace, context: CommandContext): Promise<number> {
  const statistics = await readStatistics(workspace)
  if (context.arguments.flags.json === true) {
    context.stdout.write(printableJson({ tools: statistics }))
    return 0
  }
  if (statistics.length === 0) {
    context.stdout.write(
      `no stage with tools has run here; ${shellCommand(nextCommand(context, 'run'))} writes the journal that this reads\n`,
    )
    return 0
  }
  const rows = statistics.map((tool) => [
    printableName(tool.name),
    count(tool.uses),
    count(tool.sessions),
    percent(tool.sessionShare),
    percent(tool.errorShare),
    tool.meanMs === undefined ? '' : `${(tool.meanMs / 1000).toFixed(1)} s`,
    tool.advice,
  ])
  const head = ['tool', 'uses', 'sessions', 'used in', 'errors', 'mean time', 'advice']
  context.stdout.write(table([head, ...rows]))
  return 0
}

async function readStatistics(workspace: Workspace): Promise<readonly ToolStatistics[]> {
  const { sessionsOfJournal, toolStatistics } = await import('@icm/tool-registry')
  const folder = stateFolder(workspace)
  const runs = (await readdir(join(folder.root, 'runs')).catch(() => [])).sort().reverse()
  const sessions: RecordedSession[] = []
  for (const run of runs) {
    if (sessions.length >= lastSessions) break
    const journal = await readFile(folder.journal(run), 'utf8').catch(() => '')
    sessions.push(...sessionsOfJournal(journal))
  }
  return toolStatistics(sessions.slice(0, lastSessions))
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text.trim())?.[0] ?? text.trim()
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** Columns of equal width, the last one as it is. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  '),
  )
  return `${lines.join('\n')}\n`
}
