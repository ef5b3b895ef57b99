import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startFakeOllama, writeTinyGguf } from '@icm/chat-model/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cliIn, temporaryFolder } from './__fixtures__/cli-runner.js'

// Runs the built program, as a person does: signals are a matter of the process.
const icm = fileURLToPath(new URL('../bin/icm.js', import.meta.url))
vi.setConfig({ testTimeout: 60_000 })

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** An Ollama whose answer to one path never comes; tells when it is asked for. */
async function hangingOllama(hangs: string): Promise<{ host: string; asked: Promise<unknown> }> {
  const answers: { readonly [path: string]: string } = {
    '/api/version': '{"version":"0.17.4"}',
    '/api/tags': '{"models":[{"name":"some-model:1b","size":1}]}',
    '/api/show': '{"capabilities":["completion","tools"]}',
  }
  const server: Server = createServer((request, response) => {
    if (request.url === hangs) server.emit('asked')
    else response.end(answers[request.url ?? ''] ?? '{}')
  })
  const asked = once(server, 'asked')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

async function newWorkspace(): Promise<string> {
  const home = temporaryFolder()
  await cliIn(home)('init', 'work', '--template', 'minimal')
  const folder = join(home, 'work')
  writeFileSync(join(folder, 'stages/01-collect/input.md'), 'Some material.\n')
  return folder
}

function start(folder: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, [icm, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: join(folder, '.home'), OLLAMA_HOST: '127.0.0.1:9', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  cleanups.push(() => child.kill('SIGKILL'))
  return child
}

/** Sends a signal and waits for the end; what a shell would show as the exit code. */
async function endBy(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const ended = once(child, 'exit')
  child.kill(signal)
  const [code, by] = (await ended) as [number | null, NodeJS.Signals | null]
  return by === 'SIGINT' ? 130 : code
}

/** No lock that anybody still holds: none at all, or that of a process that has ended. */
async function isFree(folder: string): Promise<boolean> {
  return !(await cliIn(folder)('status')).stdout.includes('in use by')
}

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends icm run', (signal) => {
  it.each(['/api/version', '/api/tags', '/api/show', '/api/chat'])('while %s hangs', async (path) => {
    const folder = await newWorkspace()
    const { host, asked } = await hangingOllama(path)
    const child = start(folder, ['run'], { OLLAMA_HOST: host })
    await asked
    expect(await endBy(child, signal)).toBe(130)
    expect(existsSync(join(folder, '.icm', 'lock'))).toBe(false)
  })

  it.skipIf(process.platform !== 'linux')('while the embedded engine loads (Linux: /proc)', async () => {
    const folder = await newWorkspace()
    const model = join(folder, 'tiny.gguf')
    await writeTinyGguf(model, { says: ['T'], atEnd: 'again' })
    const child = start(folder, ['run', '--provider', 'llama'], { ICM_MODEL_PATH: model })
    const maps = () => readFileSync(`/proc/${child.pid}/maps`, 'utf8')
    await expect.poll(maps, { timeout: 20_000, interval: 5 }).toMatch(/llama[^\n]*\.node/)
    expect(await endBy(child, signal)).toBe(130)
    expect(await isFree(folder)).toBe(true)
  })
})

it('Ctrl-C ends icm doctor while Ollama hangs', async () => {
  const folder = await newWorkspace()
  const { host, asked } = await hangingOllama('/api/tags')
  const child = start(folder, ['doctor'], { OLLAMA_HOST: host })
  await asked
  expect(await endBy(child, 'SIGINT')).toBe(130)
})

describe.runIf(process.platform === 'linux')('servers of a workspace (Linux: /proc)', () => {
  /** A server that ignores the end of its input and SIGTERM; without `answers` it never shakes hands. */
  function stubbornServer(folder: string, answers: boolean): string {
    const path = join(folder, `stubborn-${answers}.mjs`)
    const reply = `
      const { id, method, params } = JSON.parse(line)
      const result = method === 'initialize'
        ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
        : { tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: {} } }] }
      if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')`
    writeFileSync(
      path,
      `import { createInterface } from 'node:readline'
       process.on('SIGTERM', () => {})
       setInterval(() => {}, 1000)
       createInterface({ input: process.stdin }).on('line', (line) => {${answers ? reply : ''}})`,
    )
    return path
  }

  async function withServer(answers: boolean) {
    const folder = await newWorkspace()
    const server = stubbornServer(folder, answers)
    const quoted = JSON.stringify(process.execPath)
    const servers = `[servers.stubborn]\ncommand = ${quoted}\nargs = [${JSON.stringify(server)}]\n`
    writeFileSync(join(folder, 'icm.config.toml'), servers)
    const contract = join(folder, 'stages/01-collect/CONTEXT.md')
    const text = readFileSync(contract, 'utf8').replace(/## Tools\n[\s\S]*?(?=\n## |$)/, '')
    writeFileSync(contract, text.replace('## Process', '## Tools\n- stubborn: look\n\n## Process'))
    const running = () => processesWith(server)
    cleanups.push(() => {
      for (const pid of running()) process.kill(pid, 'SIGKILL')
    })
    return { folder, running }
  }

  it.each([
    ['SIGINT', 'hangs in its handshake', false],
    ['SIGHUP', 'runs', true],
    ['SIGTERM', 'runs', true],
  ] as const)('are gone after %s while one %s', async (signal, _, answers) => {
    const { folder, running } = await withServer(answers)
    const { host, asked } = await hangingOllama('/api/chat')
    const child = start(folder, ['run', '--trust-workspace'], { OLLAMA_HOST: host })
    if (answers) await asked
    await expect.poll(running, { timeout: 20_000 }).toHaveLength(1)
    expect(await endBy(child, signal)).toBe(130)
    await expect.poll(running, { timeout: 5_000 }).toEqual([])
    expect(await isFree(folder)).toBe(true)
  })

  it('are gone after Ctrl-C while one hangs in the grace of its shutdown', async () => {
    const { folder, running } = await withServer(true)
    const server = await startFakeOllama({
      models: ['some-model:1b'],
      answer: () => ({ error: 'the disk is on fire', status: 500 }),
    })
    cleanups.push(() => server.close())
    const child = start(folder, ['run', '--trust-workspace'], { OLLAMA_HOST: server.host })
    await expect.poll(() => server.chats.length, { timeout: 20_000 }).toBeGreaterThan(0)
    // The stage has failed, and its server is given time to end by itself: seconds, which nobody waits for now.
    await server.chats[0]?.ended
    expect(running()).toHaveLength(1)
    expect(await endBy(child, 'SIGINT')).toBe(130)
    await expect.poll(running, { timeout: 5_000 }).toEqual([])
  })
})

/** Live processes whose command line has the text, but for `icm` itself. */
function processesWith(text: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isZombie = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.startsWith('Z')
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
        return isZombie !== true && words[1] === text
      } catch {
        return false
      }
    })
    .map(Number)
}
