import type { StageContext } from '@icm/context-loader'
import type { MissingTool, ServerConnection } from '@icm/mcp-host'
import type { StageTools } from '@icm/pipeline'
import type { EffectStore, ToolRegistry } from '@icm/tool-registry'
import { CliError } from './errors.js'
import type { Ask } from './run-cli.js'
import { type ServerSources, serverConnection } from './server-connection.js'

export interface ToolSources extends ServerSources {
  /** Told what servers write to stderr, and which backend `auto` took. */
  readonly onNote: (note: string) => void
  /** Told what is odd about a server, such as a tool that is left out. */
  readonly onWarning: (warning: string) => void
  readonly signal: AbortSignal
  /** Where effects and consents are remembered. */
  readonly effects: EffectStore
  /** Asks for consents at once; undefined without a terminal, then they wait. */
  readonly ask?: Ask
}

/**
 * Connects the servers that a contract names, and only those, and limits their tools to what it allows. The two
 * bundled servers run inside this process; others are started as child processes after the grant. What changes
 * something happens once a run, over restarts, and only with a person's consent where it needs one.
 */
export async function openTools(
  context: StageContext,
  run: string,
  sources: ToolSources,
): Promise<StageTools> {
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
    const registry = createToolRegistry({
      tools,
      session: { trust: 'host' },
      effects: { store: sources.effects, run, workspace: 'workspace', stage: context.stage.name },
    })
    return {
      specs: () => registry.specs(),
      keyOf: (call) => registry.keyOf(call),
      isRepeatable: (name) => registry.isRepeatable(name),
      run: runAndAsk(registry, sources),
      addressParameters: (name) => registry.get(name)?.addressParameters ?? [],
      close: () => host.close(),
    }
  } catch (error) {
    await host.close()
    throw error
  }
}

/** A call that needs a person is put to the one at the terminal, with all of its arguments; what is agreed runs. */
function runAndAsk(registry: ToolRegistry, { effects, ask }: ToolSources): ToolRegistry['run'] {
  return async (call, options) => {
    const outcome = await registry.run(call, options)
    if (outcome.status !== 'needs_consent' || ask === undefined) return outcome
    const { describeConsent } = await import('@icm/tool-registry')
    const approved = await ask(`${describeConsent(outcome.request)}\nRun this call once?`)
    await effects.consents.answer(outcome.request.consentKey, { approved })
    return registry.run(call, options)
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
