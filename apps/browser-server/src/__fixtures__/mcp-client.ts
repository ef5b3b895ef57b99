import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

// The SDK is a dependency of @icm/mcp-server only; the real client is taken from there.
const fromMcpServer = createRequire(createRequire(import.meta.url).resolve('@icm/mcp-server/package.json'))

/** The part of the SDK's client that the tests use. */
export interface McpClient {
  connect(transport: Transport): Promise<void>
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(call: {
    name: string
    arguments: object
  }): Promise<{ content: { type: string; text: string }[]; isError?: boolean }>
  close(): Promise<void>
}

interface Transport {
  start(): Promise<void>
  send(message: object): Promise<void>
  close(): Promise<void>
  onmessage?: (message: unknown) => void
  onclose?: () => void
}

async function sdk(module: string) {
  return import(pathToFileURL(fromMcpServer.resolve(`@modelcontextprotocol/sdk/${module}`)).href)
}

async function newClient(): Promise<McpClient> {
  const { Client } = await sdk('client/index.js')
  return new Client({ name: 'test', version: '1.0.0' })
}

/** The SDK's client, linked to a server in this process. */
export async function connectInMemory(server: { connect(transport: never): Promise<void> }): Promise<McpClient> {
  const { InMemoryTransport } = await sdk('inMemory.js')
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = await newClient()
  await Promise.all([server.connect(theirs as never), client.connect(ours)])
  return client
}

/** A server as a process, with everything that it wrote to standard output. */
export interface SpawnedServer {
  readonly client: McpClient
  readonly process: ChildProcess
  /** Complete lines, and what stands behind the last line break. */
  stdoutLines(): { readonly lines: readonly string[]; readonly rest: string }
  /** Closes its standard input and waits for its end: exit code, signal. */
  end(): Promise<readonly [code: number | null, signal: string | null]>
}

/** Starts a server's program and connects the SDK's client to it. */
export async function spawnServer(program: string, args: readonly string[]): Promise<SpawnedServer> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
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
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
    for (let end = output.indexOf('\n', read); end >= 0; end = output.indexOf('\n', read)) {
      transport.onmessage?.(JSON.parse(output.slice(read, end)))
      read = end + 1
    }
  })
  const client = await newClient()
  await client.connect(transport)
  return {
    client,
    process: child,
    stdoutLines: () => ({ lines: output.slice(0, read).split('\n').slice(0, -1), rest: output.slice(read) }),
    end: async () => {
      const exit = once(child, 'exit')
      child.stdin.end()
      return (await exit) as [number | null, string | null]
    },
  }
}
