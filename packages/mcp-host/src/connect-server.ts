import { IcmError } from '@icm/errors'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { McpHostError } from './errors.js'
import { expandEnvironment } from './expand-environment.js'
import { listTools, type ToolDescription, toolPageSchema } from './list-tools.js'
import { raceSignals } from './race-signals.js'
import { createStdioTransport, type StdioTransport } from './stdio-transport.js'
import type { ConnectOptions, InMemoryServer, ServerConnection, StdioServer } from './types.js'

/** A server that has answered the handshake and listed its tools. */
export interface Connection {
  readonly server: string
  readonly client: Client
  readonly tools: readonly ToolDescription[]
  readonly ended: () => string | undefined
  readonly close: () => Promise<void>
}

export interface ConnectServerOptions extends Omit<ConnectOptions, 'signal'> {
  /** Stops connecting. */
  readonly signal: AbortSignal
  /** Ends the server at once, without the grace of a close; the caller's own signal. */
  readonly hurry: AbortSignal | undefined
}

const DEFAULT_HANDSHAKE_MS = 120_000
const DEFAULT_CLOSE_GRACE_MS = 2_000
const DEFAULT_MAX_PAGES = 64
const STDERR_LINES = 5

/** What was seen of a server that may explain why it does not come up. */
interface Evidence {
  noise?: string
  stderr: string[]
}

/**
 * Starts a server, shakes hands and lists its tools within one time limit. Whatever fails, nothing of it is left
 * running. Throws `McpHostError`, or the signal's reason.
 */
export async function connectServer(
  config: ServerConnection,
  options: ConnectServerOptions,
): Promise<Connection> {
  const evidence: Evidence = { stderr: [] }
  const opened =
    config.kind === 'stdio' ? await openStdio(config, options, evidence) : await openInMemory(config)
  const { transport } = opened
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
  const client = new Client({ name: 'icm', version: '0.1.0' }, { capabilities: {} })
  let closed: string | undefined
  client.onclose = () => {
    closed = 'has closed the connection'
  }
  const close = async () => {
    await client.close().catch(() => {})
    await transport.close()
  }
  const timeLimitMs = options.handshakeTimeoutMs ?? DEFAULT_HANDSHAKE_MS
  const deadline = AbortSignal.timeout(timeLimitMs)
  try {
    options.signal.throwIfAborted() // nothing is started any more when the abort came while the SDK was loaded
    const tools = await raceSignals(shakeHands(client, opened, config, options), [options.signal, deadline])
    return { server: config.name, client, tools, close, ended: () => endedOf(transport) ?? closed }
  } catch (error) {
    await close()
    if (options.signal.aborted) throw options.signal.reason
    if (error === deadline.reason) throw handshakeTimeout(config.name, timeLimitMs, evidence)
    if (IcmError.isInstance(error)) throw error
    throw handshakeFailed(config.name, endedOf(transport), { error, evidence })
  }
}

async function shakeHands(
  client: Client,
  opened: OpenedTransport,
  config: ServerConnection,
  options: ConnectServerOptions,
): Promise<readonly ToolDescription[]> {
  const requestOptions = { timeout: 2_147_483_647 } // the caller keeps the time
  await Promise.all([opened.connectServer?.(), client.connect(opened.transport, requestOptions)])
  if (client.getServerCapabilities()?.tools === undefined) return []
  return listTools(
    async (cursor) => {
      const params = cursor === undefined ? {} : { cursor }
      // Not client.listTools: it compiles every output schema, and one bad schema loses the list (F10).
      return client.request({ method: 'tools/list', params }, toolPageSchema, requestOptions)
    },
    {
      maxPages: options.maxPages ?? DEFAULT_MAX_PAGES,
      onNotice: (notice) => options.onNotice?.(config.name, notice),
    },
  )
}

/** This side's transport, and for a server inside this process how to connect the other side. */
interface OpenedTransport {
  readonly transport: Transport
  readonly connectServer?: () => Promise<void>
}

async function openStdio(
  config: StdioServer,
  options: ConnectServerOptions,
  evidence: Evidence,
): Promise<OpenedTransport> {
  const configured = expandEnvironment(config.name, config.env ?? {}, process.env)
  const [{ getDefaultEnvironment }, { deserializeMessage }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/stdio.js'),
    import('@modelcontextprotocol/sdk/shared/stdio.js'),
  ])
  const transport = createStdioTransport({
    server: config.name,
    command: config.command,
    args: config.args ?? [],
    env: { ...getDefaultEnvironment(), ...configured },
    cwd: config.cwd,
    startProcess: options.startProcess,
    closeGraceMs: options.closeGraceMs ?? DEFAULT_CLOSE_GRACE_MS,
    hurry: options.hurry,
    parse: deserializeMessage,
    onStderr: (line) => {
      evidence.stderr = [...evidence.stderr, line].slice(-STDERR_LINES)
      options.onStderr?.(config.name, line)
    },
    onNoise: (line) => {
      if (evidence.noise !== undefined) return // once per server: a chatty one would fill the journal
      evidence.noise = line.slice(0, 80).toWellFormed()
      options.onNotice?.(
        config.name,
        `Its standard output has text that is no message: ${JSON.stringify(evidence.noise)}.`,
      )
    },
  })
  return { transport }
}

async function openInMemory(config: InMemoryServer): Promise<OpenedTransport> {
  const { InMemoryTransport } = await import('@modelcontextprotocol/sdk/inMemory.js')
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair()
  return { transport: clientEnd, connectServer: () => config.connect(serverEnd) }
}

function endedOf(transport: Transport): string | undefined {
  return 'ended' in transport ? (transport as StdioTransport).ended : undefined
}

function handshakeTimeout(server: string, limitMs: number, evidence: Evidence): McpHostError {
  return new McpHostError({
    code: 'mcp/handshake-timeout',
    what: `MCP server "${server}" was not ready after ${limitMs / 1000} s.`,
    why:
      explain(evidence) ??
      'It did not answer; a server that is started with npx or uvx may still be installing.',
    instead: 'Run its command by hand once and see what it prints, then try again.',
  })
}

function handshakeFailed(
  server: string,
  ended: string | undefined,
  { error, evidence }: { readonly error: unknown; readonly evidence: Evidence },
): McpHostError {
  const message = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
  return new McpHostError(
    {
      code: 'mcp/handshake-failed',
      what: `MCP server "${server}" ${ended ?? `did not complete the handshake (${message})`}.`,
      why: explain(evidence) ?? 'It ended or answered wrongly before its tools were known.',
      instead: 'Run its command by hand and see what it prints.',
    },
    { cause: error },
  )
}

function explain({ noise, stderr }: Evidence): string | undefined {
  const parts = [
    noise === undefined ? [] : [`Its standard output had text that is no message: ${JSON.stringify(noise)}.`],
    stderr.length === 0 ? [] : [`It last wrote: ${stderr.join(' | ').slice(-400).toWellFormed()}`],
  ].flat()
  return parts.length === 0 ? undefined : parts.join(' ')
}
