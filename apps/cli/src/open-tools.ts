import { stat } from 'node:fs/promises'
import type { StageContext } from '@icm/context-loader'
import { nearestName } from '@icm/errors'
import type { MissingTool, ServerConnection } from '@icm/mcp-host'
import type { StageTools } from '@icm/pipeline'
import { bundledServers, type Configuration } from './config.js'
import { CliError } from './errors.js'
import { serverFolder } from './workspace-grant.js'

export interface ToolSources {
  readonly workspaceRoot: string
  readonly configuration: Configuration
  /** Asked once before the first program of the workspace starts. */
  readonly requireGrant: () => Promise<void>
  /** Told which backend `auto` took, and what servers write to stderr. */
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
  for (const name of names) connections.push(await connectionOf(name, context, sources))
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

async function connectionOf(
  name: string,
  context: StageContext,
  sources: ToolSources,
): Promise<ServerConnection> {
  const { configuration } = sources
  if (name === 'search-server') {
    const { createServer } = await import('@icm/search-server')
    const library = await requireLibrary(configuration, context)
    if (configuration.search.backend === 'auto') sources.onNote(`search: the folder ${library}`)
    const server = createServer({ backend: 'folder', library })
    return { name, kind: 'in-memory', connect: (transport) => server.connect(transport) }
  }
  if (name === 'browser-server') {
    const { createServer } = await import('@icm/browser-server')
    const library = await libraryFolder(configuration)
    if (configuration.browser.backend === 'auto')
      sources.onNote('browser: plain HTTP and the files of the library')
    const server = createServer({ backend: 'http', ...(library === undefined ? {} : { library }) })
    return { name, kind: 'in-memory', connect: (transport) => server.connect(transport) }
  }
  const server = Object.hasOwn(configuration.servers, name) ? configuration.servers[name] : undefined
  if (server === undefined) throw unknownServer(name, context, configuration)
  await sources.requireGrant()
  return {
    name,
    kind: 'stdio',
    cwd: serverFolder(configuration, sources.workspaceRoot),
    command: server.command,
    args: server.args,
    env: server.env,
    annotationsTrusted: server.annotationsTrusted,
    tools: server.tools,
  }
}

async function libraryFolder(configuration: Configuration): Promise<string | undefined> {
  const { library } = configuration.search
  return (await stat(library).then(
    (folder) => folder.isDirectory(),
    () => false,
  ))
    ? library
    : undefined
}

async function requireLibrary(configuration: Configuration, context: StageContext): Promise<string> {
  const library = await libraryFolder(configuration)
  if (library !== undefined) return library
  throw new CliError({
    code: 'cli/no-library',
    what: `Stage ${context.stage.name} was not started: ${configuration.search.library} is not a folder.`,
    why: 'Its contract searches, and the search server reads a folder of documents.',
    instead:
      'Make that folder and put documents into it, or name another one: [search] library = "…" in icm.config.toml.',
  })
}

function unknownServer(name: string, context: StageContext, configuration: Configuration): CliError {
  const known = [...bundledServers, ...Object.keys(configuration.servers)]
  const nearest = nearestName(name, known)
  const scripts = name === 'scripts'
  return new CliError({
    code: 'cli/unknown-server',
    what: `Stage ${context.stage.name} was not started: its contract names the server "${name}".`,
    why: scripts
      ? "This version of icm does not run a stage's own programs yet."
      : `The servers that are known are: ${known.join(', ')}.`,
    instead: scripts
      ? 'Take the scripts line out of ## Tools.'
      : nearest === undefined
        ? `Add [servers.${name}] with its command to icm.config.toml, or take the line out of ## Tools.`
        : `Did you mean "${nearest}"?`,
  })
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
