import { fileURLToPath } from 'node:url'
import { createToolRegistry } from '@icm/tool-registry'
import { afterEach, describe, expect, it } from 'vitest'
import { connectServers } from './connect-servers.js'
import type { ConnectOptions, McpHost, ServerConnection, StdioServer } from './types.js'

const fixture = (name: string) => fileURLToPath(new URL(`./__fixtures__/${name}.mjs`, import.meta.url))

function sdkServer(name: string, more: Partial<StdioServer> = {}): StdioServer {
  return { name, kind: 'stdio', command: process.execPath, args: [fixture('sdk-server')], ...more }
}

const hosts: McpHost[] = []
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()))
})

async function connect(servers: readonly ServerConnection[], options: ConnectOptions = {}): Promise<McpHost> {
  const host = await connectServers(servers, { closeGraceMs: 500, ...options })
  hosts.push(host)
  return host
}

describe('allowlist', () => {
  it('gives exactly the allowed tools, under the server name', async () => {
    const host = await connect([sdkServer('files')])
    const { tools, missing } = await host.tools([{ server: 'files', tools: ['echo_text', 'fail_always'] }])
    expect(tools.map(({ name }) => name)).toEqual(['files_echo_text', 'files_fail_always'])
    expect(missing).toEqual([])
  })

  it('names what is missing and what was probably meant', async () => {
    const host = await connect([sdkServer('files')])
    const { tools, missing } = await host.tools([
      { server: 'files', tools: ['echo_txt'] },
      { server: 'fils', tools: 'all' },
    ])
    expect(tools).toEqual([])
    expect(missing).toMatchObject([
      { server: 'files', tool: 'echo_txt', nearest: 'echo_text' },
      { server: 'fils', nearest: 'files' },
    ])
  })

  it('runs an allowed tool through a registry', async () => {
    const host = await connect([sdkServer('files', { tools: { echo_text: { effect: 'read' } } })])
    const { tools } = await host.tools([{ server: 'files', tools: ['echo_text'] }])
    const registry = createToolRegistry({ tools, session: { trust: 'host' } })
    const outcome = await registry.run({ id: '1', name: 'echo_text', arguments: { text: 'hello' } })
    expect(outcome).toMatchObject({
      status: 'ok',
      text: '<untrusted from="files_echo_text">\nhello\n</untrusted>',
    })
  })
})
