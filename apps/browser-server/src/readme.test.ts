import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createServer } from './create-server.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

it('shows in the README what its example prints over the library of the course workspace', async () => {
  const library = fileURLToPath(new URL('../../../examples/course-research/library', import.meta.url))
  const { registry } = createServer({ backend: 'http', library })
  const { text } = await registry.run({
    id: '1',
    name: 'fetch_structure',
    arguments: { url: 'file:///library/troubleshooting.html' },
  })
  expect(readme).toContain(`\n\`\`\`\n${text}\n\`\`\`\n`)
})

it('lists every error code in the README', () => {
  const codes = readFileSync(new URL('./errors.ts', import.meta.url), 'utf8').match(/browser\/[a-z-]+/g) ?? []
  expect(codes.length).toBeGreaterThan(3)
  for (const code of codes) expect(readme).toContain(`\`${code}\``)
})
