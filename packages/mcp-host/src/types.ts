import type { AnyTool } from '@icm/tool-registry'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { McpHostError } from './errors.js'
import type { StartProcess } from './stdio-transport.js'

/** A person's durable word on one tool: `read` runs without consent, `write` always asks. */
export interface ToolGrant {
  readonly effect: 'read' | 'write'
}

interface ServerBase {
  /** The name that contracts use; unique. */
  readonly name: string
  /** Time that a call may take without an answer or a progress report; default the registry's 30,000. */
  readonly callTimeoutMs?: number
  /** Grants for single tools, by the server's own tool names. */
  readonly tools?: { readonly [tool: string]: ToolGrant }
}

/** A program that speaks MCP over its standard input and output. */
export interface StdioServer extends ServerBase {
  readonly kind: 'stdio'
  readonly command: string
  readonly args?: readonly string[]
  /** Added to a short list of harmless variables (HOME, PATH, …); `${NAME}` stands for a variable of this process. */
  readonly env?: { readonly [name: string]: string }
  readonly cwd?: string
  /** Whether what the server says about its own tools may lower the need for consent. Default false. */
  readonly annotationsTrusted?: boolean
}

/** A server inside this process; what it says about its tools is trusted. */
export interface InMemoryServer extends ServerBase {
  readonly kind: 'in-memory'
  /** Connects the server's end, such as `(transport) => server.connect(transport)`. */
  connect(transport: Transport): Promise<void>
}

/** How one server is reached. */
export type ServerConnection = StdioServer | InMemoryServer

export interface ConnectOptions {
  /** For a server to start, answer the handshake and list its tools; default 120,000 (`npx` may install first). */
  readonly handshakeTimeoutMs?: number
  /** How long a server may take to end by itself on `close`, and again after SIGTERM; default 2,000. */
  readonly closeGraceMs?: number
  /** Pages of `tools/list` that are read; default 64. */
  readonly maxPages?: number
  /** Lines that a server writes to its standard error, at most 2,000 characters each. */
  readonly onStderr?: (server: string, line: string) => void
  /** Oddities that are not failures: noise on stdout, a repeated page, a tool that cannot be used. */
  readonly onNotice?: (server: string, notice: string) => void
  /** Stops connecting and ends all servers: at once, also where a close was already waiting for one of them. */
  readonly signal?: AbortSignal
  /** Starts the programs; default `spawn` of `node:child_process`. */
  readonly startProcess?: StartProcess
}

/** One line of a contract's tool list. */
export interface ServerAllowance {
  readonly server: string
  readonly tools: 'all' | readonly string[]
}

/** Something that a contract allows and that is not there. */
export interface MissingTool {
  readonly server: string
  /** Absent when the whole server is missing. */
  readonly tool?: string
  readonly reason: string
  /** What there is instead: the server's tools, or the servers. */
  readonly available: readonly string[]
  /** What was probably meant. */
  readonly nearest?: string
}

export interface ServerTools {
  /** Named `<server>_<tool>`, ready for a registry. */
  readonly tools: readonly AnyTool[]
  readonly missing: readonly MissingTool[]
}

export interface ServerFailure {
  readonly server: string
  readonly error: McpHostError
}

export interface McpHost {
  /** Servers that failed so far: `connectServers` does not wait, `tools` waits for the servers that it names. */
  readonly failures: readonly ServerFailure[]
  /**
   * The tools of an allowlist; nothing else of these servers is visible. Waits only for the servers that it names.
   * A server that failed or a name that it does not have is in `missing`; of `'all'` a tool that cannot be used is
   * left out with a notice, and missing is only a server that has no other. Aborts rethrow `signal.reason`.
   */
  tools(
    allowances: readonly ServerAllowance[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<ServerTools>
  /** A server's own names for its tools, usable or not. Throws `McpHostError` when it failed. Waits for this one only. */
  toolNames(server: string): Promise<readonly string[]>
  /** Ends every server and its whole process tree; may be called again. */
  close(): Promise<void>
}
