import { IcmError } from '@icm/errors'
import { collectAllowed, mergeTools, type Outcome } from './allowed-tools.js'
import { type ConnectServerOptions, connectServer } from './connect-server.js'
import { McpHostError } from './errors.js'
import { createNameTable } from './name-table.js'
import { raceSignals } from './race-signals.js'
import type { ConnectOptions, McpHost, ServerConnection, ServerFailure } from './types.js'

/**
 * Starts all servers in parallel and returns at once: `host.tools` waits for those that it names, so a slow or dead
 * server holds up nobody else. Throws `mcp/bad-config` for an empty or doubled server name; what goes wrong with a
 * single server is in `host.failures`.
 */
export async function connectServers(
  servers: readonly ServerConnection[],
  options: ConnectOptions = {},
): Promise<McpHost> {
  checkNames(servers)
  options.signal?.throwIfAborted()
  const stop = new AbortController()
  const failures: ServerFailure[] = []
  const connecting = new Map(
    servers.map((config) => [
      config.name,
      { config, outcome: attempt(config, { ...options, signal: stop.signal, hurry: options.signal }) },
    ]),
  )
  for (const { config, outcome } of connecting.values()) {
    void outcome.then((result) => {
      if ('error' in result) failures.push({ server: config.name, error: result.error })
    })
  }
  const names = createNameTable(servers.map(({ name }) => name))
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  options.signal?.addEventListener('abort', close, { once: true })
  const closeAll = async () => {
    options.signal?.removeEventListener('abort', close)
    stop.abort(new DOMException('The host was closed.', 'AbortError'))
    const outcomes = await Promise.all([...connecting.values()].map(({ outcome }) => outcome))
    await Promise.all(
      outcomes.map((result) => ('connection' in result ? result.connection.close() : undefined)),
    )
  }

  return {
    failures,
    tools: async (allowances, { signal } = {}) => {
      const lists = await raceSignals(
        Promise.all(allowances.map((allowance) => collectAllowed(allowance, { connecting, names, options }))),
        signal === undefined ? [] : [signal],
      )
      return mergeTools(lists)
    },
    toolNames: async (server) => {
      const outcome = await connecting.get(server)?.outcome
      if (outcome !== undefined && 'connection' in outcome)
        return outcome.connection.tools.map(({ name }) => name)
      throw outcome !== undefined && 'error' in outcome ? outcome.error : notConnected(server)
    },
    close,
  }
}

function notConnected(server: string): McpHostError {
  return new McpHostError({
    code: 'mcp/bad-config',
    what: `The tools of "${server}" were not listed: this host has no such server, or was closed.`,
    why: 'Only servers that were given to connectServers can be asked.',
    instead: 'Add the server to the list.',
  })
}

async function attempt(config: ServerConnection, options: ConnectServerOptions): Promise<Outcome> {
  try {
    return { connection: await connectServer(config, options) }
  } catch (error) {
    if (options.signal.aborted) return { aborted: true }
    if (error instanceof McpHostError) return { error }
    const message = error instanceof Error ? error.message : String(error)
    return {
      error: new McpHostError(
        {
          code: 'mcp/not-started',
          what: `MCP server "${config.name}" was not started: ${IcmError.isInstance(error) ? error.what : message}`,
          why: 'It failed before the handshake.',
          instead: 'Check the configuration of this server.',
        },
        { cause: error },
      ),
    }
  }
}

function checkNames(servers: readonly ServerConnection[]): void {
  const seen = new Set<string>()
  for (const { name } of servers) {
    const fault =
      name.trim() === ''
        ? 'a server has no name'
        : seen.has(name)
          ? `two servers are named "${name}"`
          : undefined
    seen.add(name)
    if (fault === undefined) continue
    throw new McpHostError({
      code: 'mcp/bad-config',
      what: `The MCP servers were not started: ${fault}.`,
      why: 'A contract names a server, so each name stands for exactly one.',
      instead: 'Give every server a name of its own.',
    })
  }
}
