import { IcmError, nearestName } from '@icm/errors'
import { type JsonSchema, validate } from '@icm/json-schema'
import type { AnyTool } from '@icm/tool-registry'
import { type Connection, connectServer } from './connect-server.js'
import { McpHostError } from './errors.js'
import { createNameTable, type NameTable } from './name-table.js'
import { makeServerTool } from './server-tools.js'
import type {
  ConnectOptions,
  McpHost,
  McpServerConfig,
  MissingTool,
  ServerAllowance,
  ServerFailure,
  ServerTools,
} from './types.js'

/**
 * Starts all servers in parallel and returns at once: `host.tools` waits for those that it names, so a slow or dead
 * server holds up nobody else. Throws `mcp/bad-config` for an empty or doubled server name; what goes wrong with a
 * single server is in `host.failures`.
 */
export async function connectServers(
  servers: readonly McpServerConfig[],
  options: ConnectOptions = {},
): Promise<McpHost> {
  checkNames(servers)
  options.signal?.throwIfAborted()
  const stop = new AbortController()
  const failures: ServerFailure[] = []
  const connecting = new Map(
    servers.map((config) => [
      config.name,
      { config, outcome: attempt(config, { ...options, signal: stop.signal }) },
    ]),
  )
  for (const { config, outcome } of connecting.values()) {
    void outcome.then((result) => {
      if ('problem' in result) failures.push({ server: config.name, problem: result.problem })
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
      const lists = await untilAborted(
        Promise.all(allowances.map((allowance) => collect(allowance, { connecting, names, options }))),
        signal,
      )
      return merge(lists)
    },
    close,
  }
}

type Outcome =
  | { readonly connection: Connection }
  | { readonly problem: McpHostError }
  | { readonly aborted: true }

async function attempt(
  config: McpServerConfig,
  options: ConnectOptions & { signal: AbortSignal },
): Promise<Outcome> {
  try {
    return { connection: await connectServer(config, options) }
  } catch (error) {
    if (options.signal.aborted) return { aborted: true }
    if (error instanceof McpHostError) return { problem: error }
    const message = error instanceof Error ? error.message : String(error)
    return {
      problem: new McpHostError(
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

interface HostState {
  readonly connecting: ReadonlyMap<
    string,
    { readonly config: McpServerConfig; readonly outcome: Promise<Outcome> }
  >
  readonly names: NameTable
  readonly options: ConnectOptions
}

/** The allowed tools of one server. */
async function collect(
  allowance: ServerAllowance,
  { connecting, names, options }: HostState,
): Promise<ServerTools> {
  const { server } = allowance
  const entry = connecting.get(server)
  if (entry === undefined) {
    const reason = `No server is named "${server}"; there are: ${[...connecting.keys()].join(', ') || 'none'}.`
    return { tools: [], missing: [withNearest({ server, reason }, server, connecting.keys())] }
  }
  const outcome = await entry.outcome
  if (!('connection' in outcome)) {
    const reason = 'problem' in outcome ? outcome.problem.what : `MCP server "${server}" is closed.`
    return { tools: [], missing: [{ server, reason }] }
  }
  const { connection } = outcome
  const { config } = entry
  const trusted = config.kind === 'in-memory' || config.annotationsTrusted === true
  const offered = new Map(connection.tools.map((tool) => [tool.name, tool]))
  const tools: AnyTool[] = []
  const missing: MissingTool[] = []
  for (const tool of allowance.tools === 'all' ? offered.keys() : allowance.tools) {
    const description = offered.get(tool)
    if (description === undefined) {
      const reason = `"${server}" has no tool "${tool}"; it has: ${[...offered.keys()].join(', ') || 'none'}.`
      missing.push(withNearest({ server, tool, reason }, tool, offered.keys()))
      continue
    }
    try {
      await validate(description.inputSchema as JsonSchema, {}) // throws for a schema that no call could be checked with
      const grant = ownGrant(config, tool)
      tools.push(
        makeServerTool(names.nameOf({ server, tool }), { target: connection, description, trusted, grant }),
      )
    } catch (error) {
      if (!IcmError.isInstance(error)) throw error
      missing.push({ server, tool, reason: error.message })
      options.onNotice?.(server, `The tool "${tool}" cannot be used. ${error.message}`)
    }
  }
  return { tools, missing }
}

function ownGrant(config: McpServerConfig, tool: string) {
  return config.tools !== undefined && Object.hasOwn(config.tools, tool) ? config.tools[tool] : undefined
}

function withNearest(missing: MissingTool, wanted: string, candidates: Iterable<string>): MissingTool {
  const nearest = nearestName(wanted, candidates)
  return nearest === undefined ? missing : { ...missing, nearest }
}

/** Two lines of a contract may name one tool; it counts once. */
function merge(lists: readonly ServerTools[]): ServerTools {
  const tools = new Map<string, AnyTool>()
  for (const tool of lists.flatMap((list) => list.tools)) {
    if (!tools.has(tool.name)) tools.set(tool.name, tool)
  }
  return { tools: [...tools.values()], missing: lists.flatMap((list) => list.missing) }
}

async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return work
  signal.throwIfAborted()
  const watching = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: watching.signal })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    watching.abort()
  }
}

function checkNames(servers: readonly McpServerConfig[]): void {
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
