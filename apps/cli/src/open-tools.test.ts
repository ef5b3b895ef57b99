import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FakeOllama, startFakeOllama } from '@icm/chat-model/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cliIn, temporaryFolder } from './__fixtures__/cli-runner.js'

let server: FakeOllama
beforeAll(async () => {
  server = await startFakeOllama({
    models: ['some-model:1b'],
    answer: ({ tools = [], messages }) =>
      tools.length > 0 && messages.every((message) => message.role !== 'tool')
        ? { toolCalls: [{ name: tools[0]?.function.name ?? '', arguments: {} }] }
        : '- one fact',
  })
})
afterAll(() => server.close())

/** A workspace whose first stage is allowed `allowed` of a server that lists these tools. */
async function withTools(allowed: string, tools: readonly object[]) {
  const home = temporaryFolder()
  await cliIn(home)('init', 'work', '--template', 'minimal')
  const folder = join(home, 'work')
  writeFileSync(join(folder, 'stages/01-collect/input.md'), 'Some material.\n')
  const contract = join(folder, 'stages/01-collect/CONTEXT.md')
  writeFileSync(contract, readFileSync(contract, 'utf8').replace('none', `- notes: ${allowed}`))
  writeFileSync(
    join(folder, 'notes.mjs'),
    `import { createInterface } from 'node:readline'
     const tools = ${JSON.stringify(tools)}
     createInterface({ input: process.stdin }).on('line', (line) => {
       const { id, method, params } = JSON.parse(line)
       if (id === undefined) return
       const result = method === 'initialize'
         ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'n', version: '1' } }
         : method === 'tools/list' ? { tools } : { content: [{ type: 'text', text: 'a note' }] }
       process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
     })`,
  )
  const read = tools.map(
    (tool) => `[servers.notes.tools.${(tool as { name: string }).name}]\neffect = "read"\n`,
  )
  writeFileSync(
    join(folder, 'icm.config.toml'),
    `[servers.notes]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ["notes.mjs"]\n${read.join('')}`,
  )
  return cliIn(folder, { env: { OLLAMA_HOST: server.host } })
}

const good = { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: {} } }
const bad = {
  name: 'broken',
  description: 'Breaks.',
  inputSchema: { type: 'object', properties: { x: { type: 'no' } } },
}

it('a server that is allowed whole loses a tool that cannot be used, by name, and the stage goes on', async () => {
  const icm = await withTools('*', [good, bad])
  const result = await icm('run', '--trust-workspace')
  expect(result, result.stderr).toMatchObject({ code: 0 })
  expect(result.stdout).toMatch(/warning: notes: The tool "broken" is left out: it cannot be used\./)
  expect(result.stdout).toContain('tools: notes_look')
})

it('a tool that is named and cannot be used stops the stage, and so does a server without any other', async () => {
  for (const icm of [await withTools('look, broken', [good, bad]), await withTools('*', [bad])]) {
    const result = await icm('run', '--trust-workspace')
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('broken') })
    expect(result.stderr).toContain('(cli/unknown-tool)')
  }
})
