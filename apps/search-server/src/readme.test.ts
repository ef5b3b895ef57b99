import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createServer } from './create-server.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

it('shows in the README what its example prints over the library of the course workspace', async () => {
  const library = fileURLToPath(new URL('../../../examples/course-research/library', import.meta.url))
  const { registry } = createServer({ backend: 'folder', library })
  const { text } = await registry.run({ id: '1', name: 'search', arguments: { query: 'default port' } })
  expect(readme).toContain(`\n\`\`\`\n${text}\n\`\`\`\n`)
})

it('lists every error code in the README', () => {
  const codes = readFileSync(new URL('./errors.ts', import.meta.url), 'utf8').match(/search\/[a-z-]+/g) ?? []
  expect(codes.length).toBeGreaterThan(3)
  for (const code of codes) expect(readme).toContain(`\`${code}\``)
})
