import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildProgram } from './__fixtures__/build-program.js'
import { spawnServer } from './testing/index.js'

let program: string
beforeAll(async () => {
  program = await buildProgram('command-line-program')
})
afterAll(() => rm(dirname(program), { recursive: true, force: true }))

const run = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })

it('serves what its options make, and ends with its input', async () => {
  const server = await spawnServer(program, ['--answer', '42'])
  const { content } = await server.client.callTool({ name: 'say_answer', arguments: {} })
  expect(content).toEqual([{ type: 'text', text: '42' }])
  expect(await server.end()).toEqual([0, null])
})

it.each([
  ['--help', 'Usage: answer-server --answer <text>\n'],
  ['--version', '1.2.3\n'],
])('answers %s', (option, stdout) => {
  expect(run(option)).toMatchObject({ status: 0, stdout, stderr: '' })
})

it('says in one line what it did not understand, and ends with code 2', () => {
  const { status, stdout, stderr } = run('--anser', '42')
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(/^answer-server was not started: .* Did you mean --answer\?.*\n$/)
})

it('shows a fault of its own with its stack', () => {
  const { status, stdout, stderr } = run('--answer=bad')
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(/TypeError: not this one\n\s+at /)
})
