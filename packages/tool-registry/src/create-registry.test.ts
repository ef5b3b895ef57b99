import { expect, it } from 'vitest'
import { z } from 'zod'
import { createToolRegistry } from './create-registry.js'
import { defineTool } from './define-tool.js'

const search = defineTool({
  name: 'search',
  description: 'Finds documents.',
  input: z.object({ query: z.string(), max_results: z.number().int().default(5) }),
  aliases: { query: ['q'] },
  idempotent: true,
  blastRadius: () => 0,
  output: 'trusted',
  run: ({ query, max_results }) => `${max_results} results for ${query}`,
})

it('runs a call with mended arguments', async () => {
  const registry = createToolRegistry({ tools: [search], session: { trust: 'host' } })
  const outcome = await registry.run({
    id: '1',
    name: 'Search',
    arguments: '{"arguments":{"Q":"tea","maxResults":"7","x":1}}',
  })
  expect(outcome).toMatchObject({ status: 'ok', text: '7 results for tea' })
})
