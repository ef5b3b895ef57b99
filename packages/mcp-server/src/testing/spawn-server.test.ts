import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildProgram } from '../__fixtures__/build-program.js'
import { spawnServer } from './spawn-server.js'

let program: string
beforeAll(async () => {
  program = await buildProgram('stdio-program')
})
afterAll(() => rm(dirname(program), { recursive: true, force: true }))

it('talks to a program, keeps what it wrote, and waits for its end', async () => {
  const server = await spawnServer(program, ['plain'])
  const answer = await server.client.callTool({ name: 'echo_text', arguments: { text: 'hello' } })
  expect(answer.content).toEqual([{ type: 'text', text: 'hello' }])
  expect(await server.end()).toEqual([0, null])
  const { lines, rest } = server.stdoutLines()
  expect(lines.map((line) => JSON.parse(line).id)).toEqual([0, 1])
  expect(rest).toBe('')
})

it('keeps lines that are not of the protocol', async () => {
  const chatty = join(dirname(program), 'chatty.mjs')
  await writeFile(chatty, `console.log('hello')\nawait import('./program.mjs')\n`)
  const server = await spawnServer(chatty, ['plain'])
  await server.end()
  expect(server.stdoutLines().lines[0]).toBe('hello')
})

it('rejects when the program ends at once', async () => {
  const broken = join(dirname(program), 'broken.mjs')
  await writeFile(broken, 'process.exitCode = 3\n')
  await expect(spawnServer(broken, [])).rejects.toThrow(/closed/)
})
