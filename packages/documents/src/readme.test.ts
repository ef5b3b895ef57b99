import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import * as api from './index.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

it('shows in the README what its example prints over the library of the course workspace', async () => {
  const library = fileURLToPath(new URL('../../../examples/course-research/library', import.meta.url))
  const { text } = await api.readDocument(join(library, 'troubleshooting.html'))
  const { title, blocks } = api.documentContent('troubleshooting.html', text)
  const headings = blocks.filter((block) => block.kind === 'heading')
  const address = api.documentAddress('troubleshooting.html')
  expect(readme).toContain(`\n${address} | ${title} | ${headings.length} headings\n`)
})

it('tells in the README of everything that it exports', () => {
  for (const name of Object.keys(api).filter((name) => name !== 'isElement'))
    expect(readme).toContain(`\`${name}`)
})
