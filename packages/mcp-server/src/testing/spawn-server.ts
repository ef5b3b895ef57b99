import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { connectClient, type TestClient } from './test-client.js'

/** A server as a process, with everything that it wrote to standard output. */
export interface SpawnedServer {
  readonly client: TestClient
  readonly process: ChildProcess
  /** Complete lines, and what stands behind the last line break. */
  stdoutLines(): { readonly lines: readonly string[]; readonly rest: string }
  /** Closes its standard input and waits for its end: exit code, signal. */
  end(): Promise<readonly [code: number | null, signal: string | null]>
}

/**
 * Starts a server's program (a script for node) and connects the SDK's client to it. Its standard error is that of
 * this process. Rejects when it ends before it answers.
 */
export async function spawnServer(program: string, args: readonly string[]): Promise<SpawnedServer> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>
  let output = ''
  let read = 0
  const transport: Transport = {
    start: async () => {},
    send: async (message) => {
      child.stdin.write(`${JSON.stringify(message)}\n`)
    },
    close: async () => {
      child.stdin.end()
    },
  }
  child.once('exit', () => transport.onclose?.())
  child.stdin.on('error', (error) => transport.onerror?.(error)) // EPIPE: it is gone, `exit` says so
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
    for (let end = output.indexOf('\n', read); end >= 0; end = output.indexOf('\n', read)) {
      const message = parseMessage(output.slice(read, end))
      if (message !== undefined) transport.onmessage?.(message)
      read = end + 1
    }
  })
  const client = await connectClient(transport)
  return {
    client,
    process: child,
    stdoutLines: () => ({ lines: output.slice(0, read).split('\n').slice(0, -1), rest: output.slice(read) }),
    end: async () => {
      child.stdin.end()
      return exit
    },
  }
}

/** A line that is no JSON is passed over here: `stdoutLines` shows it to the test. */
function parseMessage(line: string) {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
