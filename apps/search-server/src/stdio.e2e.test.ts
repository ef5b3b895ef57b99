import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { spawnServer } from '@icm/mcp-server/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const program = fileURLToPath(new URL('../bin/icm-search-server.js', import.meta.url))
let library: string

beforeAll(async () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const parts = ['errors', 'documents', 'json-schema', 'safe-files', 'tool-registry', 'mcp-server'].map(
    (name) => `packages/${name}`,
  )
  for (const part of [...parts, 'apps/search-server']) {
    if (!existsSync(join(root, part, 'dist'))) await run('npx', ['tsup'], { cwd: join(root, part) })
  }
  library = await mkdtemp(join(tmpdir(), 'icm-search-boot-'))
  await writeFile(join(library, 'address.md'), '# The address\n\nThe default port is 11434.')
}, 300_000)
afterAll(() => rm(library, { recursive: true }))

it('serves over stdio: only JSON-RPC on standard output, and the process ends with its input', async () => {
  const server = await spawnServer(program, ['--library', library])
  const { tools } = await server.client.listTools()
  expect(tools.map((tool) => tool.name)).toEqual(['search'])
  const found = await server.client.callTool({ name: 'search', arguments: { q: 'default port' } })
  expect(found.content[0]?.text).toContain('url: file:///library/address.md')
  const refused = await server.client.callTool({ name: 'search', arguments: { query: '' } })
  expect(refused.isError).toBe(true)
  expect((await server.client.callTool({ name: 'nothing', arguments: {} })).isError).toBe(true)

  expect(await server.end()).toEqual([0, null])
  const { lines, rest } = server.stdoutLines()
  expect(rest).toBe('')
  expect(lines.length).toBeGreaterThanOrEqual(5)
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
})

it.each([
  [['--help'], /Usage: icm-search-server/],
  [['--version'], /^\d+\.\d+\.\d+\n$/],
])('answers %j', async (args, output) => {
  const { stdout, stderr } = await run(process.execPath, [program, ...args])
  expect(stdout).toMatch(output)
  expect(stderr).toBe('')
})

it.each([
  [['--libary', 'x'], /Did you mean --library/],
  [[], /\[search\] library/],
  [['--library', '/no/such/folder'], /\/no\/such\/folder is not a folder/],
  [['--backend', 'searxng', '--library', '/'], /has: folder/],
])('ends with code 2 and an explanation for %j', async (args, text) => {
  const failure = await run(process.execPath, [program, ...args]).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(text) })
  expect((failure as { stderr: string }).stderr).not.toMatch(/\n\s+at /)
})
