import { IcmError, nearestName } from '@icm/errors'
import { type JsonSchema, validate } from '@icm/json-schema'
import type { AnyTool } from '@icm/tool-registry'
import type { Connection } from './connect-server.js'
import type { McpHostError } from './errors.js'
import type { NameTable } from './name-table.js'
import { makeServerTool } from './server-tools.js'
import type { ConnectOptions, MissingTool, ServerAllowance, ServerConnection, ServerTools } from './types.js'

/** How connecting one server came out. */
export type Outcome =
  | { readonly connection: Connection }
  | { readonly error: McpHostError }
  | { readonly aborted: true }

/** What a host knows of its servers. */
export interface HostState {
  readonly connecting: ReadonlyMap<
    string,
    { readonly config: ServerConnection; readonly outcome: Promise<Outcome> }
  >
  readonly names: NameTable
  readonly options: ConnectOptions
}

/** The allowed tools of one server. */
export async function collectAllowed(
  allowance: ServerAllowance,
  { connecting, names, options }: HostState,
): Promise<ServerTools> {
  const { server } = allowance
  const entry = connecting.get(server)
  if (entry === undefined) {
    const available = [...connecting.keys()]
    const reason = `No server is named "${server}"; there are: ${available.join(', ') || 'none'}.`
    return { tools: [], missing: [missingTool({ server, reason, available }, server)] }
  }
  const outcome = await entry.outcome
  if (!('connection' in outcome)) {
    const reason = 'error' in outcome ? outcome.error.what : `MCP server "${server}" is closed.`
    return { tools: [], missing: [{ server, reason, available: [] }] }
  }
  const { connection } = outcome
  const ended = connection.ended()
  if (ended !== undefined) {
    return { tools: [], missing: [{ server, reason: `MCP server "${server}" ${ended}.`, available: [] }] }
  }
  const { config } = entry
  const trusted = config.kind === 'in-memory' || config.annotationsTrusted === true
  const offered = new Map(connection.tools.map((tool) => [tool.name, tool]))
  const tools: AnyTool[] = []
  const missing: MissingTool[] = []
  const unusable: MissingTool[] = []
  for (const tool of allowance.tools === 'all' ? offered.keys() : allowance.tools) {
    const description = offered.get(tool)
    if (description === undefined) {
      const available = [...offered.keys()]
      const reason = `"${server}" has no tool "${tool}"; it has: ${available.join(', ') || 'none'}.`
      missing.push(missingTool({ server, tool, reason, available }, tool))
      continue
    }
    try {
      await validate(description.inputSchema as JsonSchema, {}) // throws for a schema that no call could be checked with
      const source = { target: connection, description, trusted, callTimeoutMs: config.callTimeoutMs }
      const shownName = names.nameOf({ server, tool })
      tools.push(makeServerTool(shownName, { ...source, grant: ownGrant(config, tool) }))
    } catch (error) {
      if (!IcmError.isInstance(error)) throw error
      unusable.push({ server, tool, reason: error.message, available: [...offered.keys()] })
      options.onNotice?.(server, `The tool "${tool}" is left out: it cannot be used. ${error.message}`)
    }
  }
  // A contract that names a tool cannot do without it; one that takes all takes those that can be used.
  if (allowance.tools !== 'all' || tools.length === 0) missing.push(...unusable)
  return { tools, missing }
}

function ownGrant(config: ServerConnection, tool: string) {
  return config.tools !== undefined && Object.hasOwn(config.tools, tool) ? config.tools[tool] : undefined
}

function missingTool(missing: MissingTool, wanted: string): MissingTool {
  const nearest = nearestName(wanted, missing.available)
  return nearest === undefined ? missing : { ...missing, nearest }
}

/** Two lines of a contract may name one tool; it counts once. */
export function mergeTools(lists: readonly ServerTools[]): ServerTools {
  const tools = new Map<string, AnyTool>()
  for (const tool of lists.flatMap((list) => list.tools)) {
    if (!tools.has(tool.name)) tools.set(tool.name, tool)
  }
  return { tools: [...tools.values()], missing: lists.flatMap((list) => list.missing) }
}
