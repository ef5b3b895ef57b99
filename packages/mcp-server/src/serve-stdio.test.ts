import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { buildProgram } from './__fixtures__/build-program.js'

let program: string
beforeAll(async () => {
  program = await buildProgram('stdio-program')
})
afterAll(() => rm(dirname(program), { recursive: true, force: true }))

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Starts the program and shakes hands; `ask` sends a request, `until` waits for a text on standard error. */
async function start(mode = 'plain') {
  const child = spawn(process.execPath, [program, mode], { stdio: 'pipe' })
  children.push(child)
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (output.stdout += chunk))
  child.stderr.on('data', (chunk) => (output.stderr += chunk))
  const exited = once(child, 'close') as Promise<[number | null, string | null]>
  const until = async (stream: 'stdout' | 'stderr', text: string) => {
    while (!output[stream].includes(text)) {
      if (child.exitCode !== null) throw new Error(`ended without "${text}": ${output.stderr}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const ask = async (id: number, method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    await until('stdout', `"id":${id}`)
  }
  await ask(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  })
  await until('stderr', 'listening')
  return { child, output, exited, ask, until }
}

it('writes nothing but JSON-RPC to standard output', async () => {
  const { child, output, exited, ask } = await start()
  await ask(2, 'tools/list', {})
  await ask(3, 'tools/call', { name: 'echo_text', arguments: { text: 'hello' } })
  child.stdin.end()
  await exited
  const lines = output.stdout.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).jsonrpc)).toEqual(['2.0', '2.0', '2.0'])
  expect(output.stdout).toContain('"text":"hello"')
  for (const printed of ['printed by a tool', 'written by a tool', 'printed after the start']) {
    expect(output.stderr).toContain(printed)
    expect(output.stdout).not.toContain(printed)
  }
})

it('ends when standard input ends, although a timer runs, after it has aborted calls and cleaned up', async () => {
  const { child, output, exited, until } = await start()
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'wait_long', arguments: {} } }
  child.stdin.write(`${JSON.stringify(call)}\n`)
  await until('stderr', 'waiting')
  child.stdin.end()
  expect(await exited).toEqual([0, null])
  expect(output.stderr).toContain('aborted')
  expect(output.stderr).toContain('cleaned up')
})

it.each(['SIGTERM', 'SIGINT'] as const)('ends on %s', async (signal) => {
  const { child, output, exited } = await start()
  child.kill(signal)
  expect(await exited).toEqual([0, null])
  expect(output.stderr).toContain('cleaned up')
})

it('ends when the client stops reading', async () => {
  const { child, exited, output } = await start()
  child.stdout?.destroy()
  child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'ping' })}\n`)
  expect(await exited).toEqual([0, null])
  expect(output.stderr).not.toContain('EPIPE')
})

it('does not wait for a clean-up that never ends', async () => {
  const { child, exited } = await start('slow-cleanup')
  child.stdin.end()
  expect(await exited).toEqual([0, null])
})
