import { relative, sep } from 'node:path'
import { type KnownServers, type LoadProblem, readContract, type Workspace } from '@icm/context-loader'
import { IcmError } from '@icm/errors'
import type { ServerConnection } from '@icm/mcp-host'
import { bundledServers, type Configuration } from './config.js'
import type { CommandContext } from './run-cli.js'
import { serverConnection } from './server-connection.js'
import { printableName } from './style.js'
import { requireGrant } from './workspace-grant.js'

export interface ServerTools {
  /** Every known server; undefined are the tools of those that no contract names, or that did not start. */
  readonly tools: KnownServers
  /** One for each line of a contract that names a server which did not start. */
  readonly problems: readonly LoadProblem[]
}

/** The names of the servers that contracts may use; their tools are not known without starting them. */
export function knownServers(configuration: Configuration): KnownServers {
  const names = [...bundledServers, ...Object.keys(configuration.servers)]
  return Object.fromEntries(names.map((name) => [name, undefined]))
}

/** Starts the servers that the workspace's contracts name, asks for their tools and ends them. */
export async function listServerTools(
  workspace: Workspace,
  configuration: Configuration,
  context: CommandContext,
): Promise<ServerTools> {
  const known = knownServers(configuration)
  const uses = await usesOf(workspace)
  const named = Object.keys(known).filter((name) => uses.some((use) => use.server === name))
  const failures = new Map<string, unknown>()
  const connections: ServerConnection[] = []
  const sources = serverSources(workspace, configuration, context)
  for (const name of named) {
    const stage = uses.find((use) => use.server === name)?.stage ?? ''
    try {
      connections.push(await serverConnection(name, stage, sources))
    } catch (error) {
      if (IcmError.isInstance(error) && error.code === 'cli/not-trusted') throw error
      failures.set(name, error)
    }
  }
  const { connectServers } = await import('@icm/mcp-host')
  const host = await connectServers(connections, { signal: context.signal })
  const tools: { [server: string]: readonly string[] | undefined } = { ...known }
  try {
    for (const { name } of connections) {
      try {
        tools[name] = await host.toolNames(name)
      } catch (error) {
        context.signal.throwIfAborted()
        failures.set(name, error)
      }
    }
  } finally {
    await host.close()
  }
  const problems = uses.flatMap(({ server, path, line, column }): LoadProblem[] => {
    if (!failures.has(server)) return []
    return [{ ...failureOf(server, failures.get(server)), path, line, column }]
  })
  return { tools, problems }
}

/** What a command that only looks at servers starts them with; it says on stderr what they are. */
export function serverSources(workspace: Workspace, configuration: Configuration, context: CommandContext) {
  const { env, ask, style } = context
  const trusted = context.arguments.flags['trust-workspace'] === true
  const grant = { workspaceRoot: workspace.root, configuration, trusted, env }
  return {
    workspaceRoot: workspace.root,
    configuration,
    requireGrant: () => requireGrant({ ...grant, ...(ask === undefined ? {} : { ask }) }),
    onNote: (note: string) => context.stderr.write(style.dim(`${printableName(note)}\n`)),
  }
}

async function usesOf(workspace: Workspace) {
  const uses = []
  for (const stage of workspace.stages) {
    const { contract } = await readContract(workspace, stage)
    const path = relative(workspace.root, stage.contractPath).split(sep).join('/')
    for (const { server, line, column } of contract.tools)
      uses.push({ stage: stage.name, server, path, line, column })
  }
  return uses
}

function failureOf(server: string, error: unknown) {
  const known = IcmError.isInstance(error) ? error : undefined
  return {
    code: 'cli/server-failed',
    severity: 'error' as const,
    what: `The server "${server}" did not start, so its tools were not checked: ${known?.what ?? String(error)}`,
    why: known?.why ?? 'It failed before the handshake.',
    instead:
      known?.instead ?? `Try its command by hand; it stands in [servers.${server}] of icm.config.toml.`,
    details: { server },
  }
}
