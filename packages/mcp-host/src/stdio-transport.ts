import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { endProcessTree, registerForExit } from './end-process-tree.js'
import { McpHostError } from './errors.js'
import { splitLines } from './line-splitter.js'
import { trackProcessTree } from './process-tree.js'

/** Starts a program with three pipes, as leader of its own process group where the system has them. */
export type StartProcess = (
  command: string,
  args: readonly string[],
  options: {
    readonly cwd?: string
    readonly env: Record<string, string>
    readonly stdio: 'pipe'
    readonly detached: boolean
    readonly windowsHide: boolean
  },
) => ChildProcess

export interface StdioTransportOptions {
  readonly server: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Record<string, string>
  readonly cwd?: string | undefined
  readonly startProcess?: StartProcess | undefined
  readonly closeGraceMs: number
  /** From its abort on the program is ended at once instead of after `closeGraceMs`. */
  readonly hurry: AbortSignal | undefined
  /** Reads one line as a message; throws when it is none. */
  readonly parse: (line: string) => JSONRPCMessage
  readonly onStderr: (line: string) => void
  /** A line on standard output that is no message. */
  readonly onNoise: (line: string) => void
}

export interface StdioTransport extends Transport {
  /** How the program ended, in words; undefined while it runs. */
  readonly ended: string | undefined
}

const MAX_MESSAGE_CHARACTERS = 32 * 1024 * 1024
const MAX_STDERR_LINE = 2_000
/** An answer written just before the end is still read, unless a child of the server holds the pipe open. */
const DRAIN_MS = 250

/**
 * The SDK's stdio transport with what it lacks: the whole process tree ends on `close` and after a crash (its own
 * signals only the direct child), pending calls fail as soon as the program ends, and noise on stdout is named.
 */
export function createStdioTransport(options: StdioTransportOptions): StdioTransport {
  let child: ChildProcess | undefined
  let ended: string | undefined
  let closing: Promise<void> | undefined
  let end: () => Promise<void> = async () => {}
  const announceEnd = once(() => transport.onclose?.())

  const transport: StdioTransport = {
    get ended() {
      return ended
    },
    start: async () => {
      const started = await startChild(options)
      child = started
      const tree = trackProcessTree(started.pid as number)
      const forget = registerForExit(tree)
      const { closeGraceMs: graceMs, hurry } = options
      end = () => endProcessTree(started, tree, { graceMs, hurry }).finally(forget)
      readLines(started.stdout, MAX_MESSAGE_CHARACTERS, (line) => receive(transport, options, line))
      readLines(started.stderr, MAX_STDERR_LINE, options.onStderr)
      started.stdin?.on('error', (error) => transport.onerror?.(error))
      started.once('exit', (code, signal) => {
        ended = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`
        const timer = setTimeout(announceEnd, DRAIN_MS)
        started.once('close', () => {
          clearTimeout(timer)
          announceEnd()
        })
        closing ??= end()
      })
    },
    send: (message) => write(child, ended, options.server, message),
    close: async () => {
      closing ??= end()
      await closing
      announceEnd()
    },
  }
  return transport
}

function receive(transport: Transport, options: StdioTransportOptions, line: string): void {
  if (line.trim() === '') return
  let message: JSONRPCMessage
  try {
    message = options.parse(line)
  } catch {
    options.onNoise(line)
    return
  }
  transport.onmessage?.(message)
}

function startChild({ server, command, args, env, cwd, startProcess = spawn }: StdioTransportOptions) {
  return new Promise<ChildProcess>((resolve, reject) => {
    const fail = (error: unknown) => reject(notStarted(server, command, error, env.PATH))
    try {
      const child = startProcess(command, [...args], {
        ...(cwd === undefined ? {} : { cwd }),
        env,
        stdio: 'pipe',
        detached: process.platform !== 'win32',
        windowsHide: true,
      })
      child.once('error', fail)
      child.once('spawn', () => resolve(child))
    } catch (error) {
      fail(error)
    }
  })
}

function notStarted(server: string, command: string, cause: unknown, path: string | undefined): McpHostError {
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
  const message = cause instanceof Error ? cause.message : String(cause)
  return new McpHostError(
    {
      code: 'mcp/not-started',
      what: `MCP server "${server}" was not started: ${isMissing ? `"${command}" was not found` : message}.`,
      why: isMissing
        ? `It was looked for ${command.includes('/') ? 'at this path' : `in PATH: ${path ?? '(empty)'}`}, and its working folder must exist.`
        : 'The system refused to start the program.',
      instead: isMissing
        ? 'Install it, or give its full path as command.'
        : 'Check command, args and cwd of this server.',
    },
    { cause },
  )
}

function write(
  child: ChildProcess | undefined,
  ended: string | undefined,
  server: string,
  message: JSONRPCMessage,
) {
  const stdin = child?.stdin
  if (ended !== undefined || !stdin?.writable) return Promise.reject(serverGone(server, ended))
  return new Promise<void>((resolve, reject) => {
    stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
  })
}

/** The call was never sent, because the server does not run any more. */
export function serverGone(server: string, ended: string | undefined): McpHostError {
  return new McpHostError({
    code: 'mcp/server-gone',
    what: `The call was not sent: MCP server "${server}" ${ended ?? 'is closed'}.`,
    why: 'A server that has ended is not started again during a run.',
    instead: 'Go on without its tools.',
  })
}

function readLines(stream: Readable | null, maxCharacters: number, onLine: (line: string) => void): void {
  const splitter = splitLines(maxCharacters, onLine)
  stream?.setEncoding('utf8')
  stream?.on('data', (text: string) => splitter.push(text))
  stream?.once('end', () => splitter.end())
  stream?.on('error', () => splitter.end())
}

function once(action: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    action()
  }
}
