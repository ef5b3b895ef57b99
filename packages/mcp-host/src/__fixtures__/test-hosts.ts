import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createToolRegistry, type ToolRegistry } from '@icm/tool-registry'
import { afterEach } from 'vitest'
import { connectServers } from '../connect-servers.js'
import type { ConnectOptions, McpHost, ServerConnection, StdioServer } from '../types.js'

/** Path of a fixture program. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`./${name}.mjs`, import.meta.url))
}

/** The server over the SDK. */
export function sdkServer(name: string, more: Partial<StdioServer> = {}): StdioServer {
  return { name, kind: 'stdio', command: process.execPath, args: [fixture('sdk-server')], ...more }
}

/** The hand-written server, in one of its modes. */
export function rawServer(name: string, mode: string, more: Partial<StdioServer> = {}): StdioServer {
  return { name, kind: 'stdio', command: process.execPath, args: [fixture('raw-server'), mode], ...more }
}

const hosts: McpHost[] = []
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()))
})

/** Connects; the host is closed after the test. */
export async function connect(
  servers: readonly ServerConnection[],
  options: ConnectOptions = {},
): Promise<McpHost> {
  const host = await connectServers(servers, { closeGraceMs: 500, ...options })
  hosts.push(host)
  return host
}

/** A registry with all tools of the servers. */
export async function registryOf(
  servers: readonly ServerConnection[],
  options: ConnectOptions = {},
): Promise<ToolRegistry> {
  const host = await connect(servers, options)
  const { tools } = await host.tools(servers.map(({ name }) => ({ server: name, tools: 'all' as const })))
  return createToolRegistry({ tools, session: { trust: 'host' } })
}

/** Runs a call as a person would who consents to everything. */
export async function runApproved(registry: ToolRegistry, name: string, args: object, signal?: AbortSignal) {
  const call = { id: 'call-1', name, arguments: args }
  const decision = { callKey: await registry.keyOf(call), approved: true }
  return registry.run(call, { decision, ...(signal === undefined ? {} : { signal }) })
}

/** Live processes whose command line has the marker. */
export function processesMarked(marker: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isZombie = / Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1').split(')').at(-1) ?? '')
        return !isZombie && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(marker)
      } catch {
        return false
      }
    })
    .map(Number)
}
