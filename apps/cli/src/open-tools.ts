import type { StageContext } from '@icm/context-loader'
import type { MissingTool, ServerConnection } from '@icm/mcp-host'
import type { StageTools } from '@icm/pipeline'
import { CliError } from './errors.js'
import { type ServerSources, serverConnection } from './server-connection.js'

export interface ToolSources extends ServerSources {
  /** Told what servers write to stderr, and which backend `auto` took. */
  readonly onNote: (note: string) => void
  /** Told what is odd about a server, such as a tool that is left out. */
  readonly onWarning: (warning: string) => void
  readonly signal: AbortSignal
}

/**
 * Connects the servers that a contract names, and only those, and limits their tools to what it allows. The two
 * bundled servers run inside this process; others are started as child processes after the grant.
 */
export async function openTools(context: StageContext, sources: ToolSources): Promise<StageTools> {
  const allowances = context.contract.tools
  const names = [...new Set(allowances.map((allowance) => allowance.server))]
  const connections: ServerConnection[] = []
  for (const name of names) connections.push(await serverConnection(name, context.stage.name, sources))
  const { connectServers } = await import('@icm/mcp-host')
  const { createToolRegistry } = await import('@icm/tool-registry')
  const host = await connectServers(connections, {
    signal: sources.signal,
    onStderr: (server, line) => sources.onNote(`${server}: ${line}`),
    onNotice: (server, notice) => sources.onWarning(`${server}: ${notice}`),
  })
  try {
    const { tools, missing } = await host.tools(allowances, { signal: sources.signal })
    const [failure] = host.failures
    if (failure !== undefined) throw serverFailed(context, failure.server, failure.error)
    const [unknown] = missing
    if (unknown !== undefined) throw unknownTool(context, unknown)
    const registry = createToolRegistry({ tools, session: { trust: 'host' } })
    return {
      specs: () => registry.specs(),
      keyOf: (call) => registry.keyOf(call),
      isRepeatable: (name) => registry.isRepeatable(name),
      run: (call, options) => registry.run(call, options),
      addressParameters: (name) => registry.get(name)?.addressParameters ?? [],
      close: () => host.close(),
    }
  } catch (error) {
    await host.close()
    throw error
  }
}

function serverFailed(context: StageContext, server: string, cause: unknown): CliError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new CliError(
    {
      code: 'cli/server-failed',
      what: `Stage ${context.stage.name} was not started: the server "${server}" did not start.`,
      why: reason,
      instead: `Try its command by hand; it stands in [servers.${server}] of icm.config.toml.`,
    },
    { cause },
  )
}

function unknownTool(context: StageContext, missing: MissingTool): CliError {
  return new CliError({
    code: 'cli/unknown-tool',
    what: `Stage ${context.stage.name} was not started: its contract allows ${missing.server}: ${missing.tool ?? '*'}, which is not there.`,
    why: `${missing.reason} There is: ${missing.available.join(', ') || 'nothing'}.`,
    instead:
      missing.nearest === undefined
        ? 'Mend ## Tools in the contract.'
        : `Did you mean "${missing.nearest}"? Mend ## Tools in the contract.`,
  })
}
