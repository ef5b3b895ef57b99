import { createToolRegistry, defineTool } from '@icm/tool-registry'
import { expect, it } from 'vitest'
import { createRegistryServer } from './registry-server.js'
import { connectInMemory } from './testing/index.js'

const sayName = defineTool({
  name: 'say_name',
  description: 'Says a name.',
  input: { type: 'object', properties: {} },
  blastRadius: () => 0,
  run: () => 'Ada',
})

it('serves several clients at once until it is closed', async () => {
  const registry = createToolRegistry({ tools: [sayName], session: { trust: 'host' } })
  const server = createRegistryServer(registry, { name: 'names', version: '1.2.3' })
  expect(server).toMatchObject({ name: 'names', version: '1.2.3', registry })
  const clients = [await connectInMemory(server), await connectInMemory(server)]
  for (const client of clients) {
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['say_name'])
    expect(await client.callTool({ name: 'say_name', arguments: {} })).toEqual({
      content: [{ type: 'text', text: 'Ada' }],
    })
  }
  await server.close()
  for (const client of clients) await expect(client.listTools()).rejects.toThrow()
})
