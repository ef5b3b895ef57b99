import { findStage, readContract, type Workspace } from '@icm/context-loader'
import type { ServerAllowance, ServerConnection } from '@icm/mcp-host'
import type { AnyTool } from '@icm/tool-registry'
import { bundledServers, type Configuration } from './config.js'
import type { CommandContext } from './run-cli.js'
import { serverConnection } from './server-connection.js'
import { printableName } from './style.js'
import { requireGrant } from './workspace-grant.js'

/** The tools of a stage's contract, or of every known server. A server that does not start is an error. */
export async function readTools(
  workspace: Workspace,
  configuration: Configuration,
  context: CommandContext,
): Promise<readonly AnyTool[]> {
  const { env, ask, style, signal, arguments: given } = context
  const stage = given.values.stage === undefined ? undefined : findStage(workspace, given.values.stage)
  const allowances: readonly ServerAllowance[] =
    stage === undefined
      ? [...bundledServers, ...Object.keys(configuration.servers)].map((server) => ({ server, tools: 'all' }))
      : (await readContract(workspace, stage)).contract.tools
  const trusted = given.flags['trust-workspace'] === true
  const asking = ask === undefined ? {} : { ask }
  const grant = { workspaceRoot: workspace.root, configuration, trusted, env, ...asking }
  const onNote = (note: string) => context.stderr.write(style.dim(`${printableName(note)}\n`))
  const connections: ServerConnection[] = []
  for (const server of new Set(allowances.map((allowance) => allowance.server))) {
    const sources = {
      workspaceRoot: workspace.root,
      configuration,
      requireGrant: () => requireGrant(grant),
      onNote,
    }
    connections.push(await serverConnection(server, stage?.name ?? 'icm tools', sources))
  }
  const { connectServers } = await import('@icm/mcp-host')
  const onNotice = (server: string, notice: string) => onNote(`${server}: ${notice}`)
  const host = await connectServers(connections, { signal, onNotice })
  try {
    const { tools: found, missing } = await host.tools(allowances, { signal })
    const [failure] = host.failures
    if (failure !== undefined) throw failure.error
    for (const { server, tool, reason } of missing)
      onNote(`${server}: ${tool ?? 'all'} is missing: ${reason}`)
    return found
  } finally {
    await host.close()
  }
}
