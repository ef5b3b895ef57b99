import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildProgram } from './__fixtures__/build-program.js'
import { fixture, processesMarked } from './__fixtures__/test-hosts.js'

const marker = `icm-test-${randomUUID()}`
let program: string
beforeAll(async () => {
  program = await buildProgram()
})
afterAll(() => rm(dirname(program), { recursive: true, force: true }))
afterEach(() => {
  for (const pid of processesMarked(marker)) process.kill(pid, 'SIGKILL')
})

/** Starts the host and waits until its server runs. */
async function startHost(end: string, mode: string) {
  const args = [program, end, fixture('raw-server'), mode, marker]
  const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const exited = once(host, 'close')
  await once(host.stdout, 'data')
  return { host, exited }
}

describe.runIf(process.platform === 'linux')('a host that ends without closing', () => {
  it.each([
    ['process.exit', 'exit', 5],
    ['an error that nobody catches', 'throw', 1],
  ])('by %s takes its servers with it, stubborn ones too', async (_, end, exitCode) => {
    const { exited } = await startHost(end, 'leaky')
    expect(await exited).toEqual([exitCode, null])
    await expect.poll(() => processesMarked(marker), { timeout: 5_000 }).toEqual([])
  })

  it('by SIGKILL takes a server with it that watches its input', async () => {
    const { host, exited } = await startHost('wait', 'plain')
    expect(processesMarked(marker)).toHaveLength(2)
    host.kill('SIGKILL')
    await exited
    await expect.poll(() => processesMarked(marker), { timeout: 5_000 }).toEqual([])
  })
})
