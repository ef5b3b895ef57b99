import { findStage, readContract, type Workspace } from '@icm/context-loader'
import type { ServerAllowance, ServerConnection } from '@icm/mcp-host'
import type { AnyTool } from '@icm/tool-registry'
import type { Configuration } from './config.js'
import { knownServers, serverSources } from './list-server-tools.js'
import type { CommandContext } from './run-cli.js'
import { serverConnection } from './server-connection.js'

/** The tools of a stage's contract, or of every known server. A server that does not start is an error. */
export async function readTools(
  workspace: Workspace,
  configuration: Configuration,
  context: CommandContext,
): Promise<readonly AnyTool[]> {
  const { signal, arguments: given } = context
  const stage = given.values.stage === undefined ? undefined : findStage(workspace, given.values.stage)
  const allowances: readonly ServerAllowance[] =
    stage === undefined
      ? Object.keys(knownServers(configuration)).map((server) => ({ server, tools: 'all' }))
      : (await readContract(workspace, stage)).contract.tools
  const sources = serverSources(workspace, configuration, context)
  const connections: ServerConnection[] = []
  for (const server of new Set(allowances.map((allowance) => allowance.server)))
    connections.push(await serverConnection(server, stage?.name ?? 'icm tools', sources))
  const { connectServers } = await import('@icm/mcp-host')
  const onNotice = (server: string, notice: string) => sources.onNote(`${server}: ${notice}`)
  const host = await connectServers(connections, { signal, onNotice })
  try {
    const { tools: found, missing } = await host.tools(allowances, { signal })
    const [failure] = host.failures
    if (failure !== undefined) throw failure.error
    for (const { server, tool, reason } of missing)
      sources.onNote(`${server}: ${tool ?? 'all'} is missing: ${reason}`)
    return found
  } finally {
    await host.close()
  }
}
