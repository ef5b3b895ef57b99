import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeOllama, startFakeOllama } from '@icm/chat-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cliIn, temporaryFolder } from './__fixtures__/cli-runner.js'
import { courseScript } from './__fixtures__/course-script.js'

let server: FakeOllama
beforeAll(async () => {
  server = await startFakeOllama({
    models: ['some-model:1b', { name: 'no-tools:1b', capabilities: ['completion'] }],
    answer: courseScript,
  })
})
afterAll(() => server.close())

async function course() {
  const home = temporaryFolder()
  await cliIn(home)('init', 'my-course')
  const folder = join(home, 'my-course')
  return { folder, icm: cliIn(folder, { env: { OLLAMA_HOST: server.host } }), offline: cliIn(folder) }
}

describe('no model', () => {
  it('says what was tried, in order, and the command that helps most', async () => {
    const { offline } = await course()
    const result = await offline('run')
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(
      /Ollama at 127\.0\.0\.1:9: no answer; .*ICM_MODEL_PATH: not set; the model cache .*: empty/,
    )
    expect(result.stderr).toContain('ollama serve')
    expect(result.stderr).not.toContain('    at ')
  })

  it('a model that is not pulled: which are there, and the pull line', async () => {
    const { icm } = await course()
    const result = await icm('run', '--model', 'other-model:7b')
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('some-model:1b') })
    expect(result.stderr).toContain('ollama pull other-model:7b')
  })

  it('a model without tools on a stage that needs them', async () => {
    const { icm } = await course()
    expect((await icm('run', '--model', 'no-tools:1b')).code).toBe(0)
    const result = await icm('run', '--model', 'no-tools:1b')
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(/chat\/no-tool-support/)
    expect(result.stderr).toContain('no-tools:1b')
  })

  it('a model file that is not there, and an unknown provider', async () => {
    const { folder } = await course()
    const icm = cliIn(folder, { env: { ICM_MODEL_PATH: '/nowhere/model.gguf' } })
    expect((await icm('run')).stderr).toContain('/nowhere/model.gguf is not there')
    expect(await icm('run', '--provider', 'olama')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('auto, ollama, openai-compatible, llama'),
    })
  })
})

describe('a model that was asked for is not replaced', () => {
  it('by a file that ICM_MODEL_PATH names, nor by another file of the cache', async () => {
    const { folder } = await course()
    const cache = join(folder, '.home', '.cache', 'icm', 'models')
    mkdirSync(cache, { recursive: true })
    writeFileSync(join(cache, 'other-model-3b-q4.gguf'), 'GGUF')
    writeFileSync(join(folder, 'mine.gguf'), 'GGUF')
    const icm = cliIn(folder, { env: { ICM_MODEL_PATH: join(folder, 'mine.gguf') } })
    const wanted = await icm('run', '--model', 'wanted:7b')
    expect(wanted.stderr).toMatch(
      /mine\.gguf is not wanted:7b; the model cache .*: none of its files is wanted:7b/,
    )
    writeFileSync(join(folder, 'icm.config.toml'), '[model]\nname = "wanted:7b"\n')
    expect((await cliIn(folder)('run')).stderr).toContain('none of its files is wanted:7b')
  })

  it('doctor looks only at the provider that is configured', async () => {
    const { folder } = await course()
    writeFileSync(join(folder, 'mine.gguf'), 'GGUF')
    writeFileSync(join(folder, 'icm.config.toml'), '[model]\nprovider = "ollama"\nmodel_path = "mine.gguf"\n')
    expect(await cliIn(folder)('doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('fault   Ollama'),
    })
  })
})

it('redo without a model leaves the output where it is', async () => {
  const { folder, icm, offline } = await course()
  await icm('run')
  const objectives = join(folder, 'pipeline/01-scope/output/objectives.md')
  const before = readFileSync(objectives, 'utf8')
  expect((await offline('redo', '01')).code).toBe(1)
  expect((await offline('redo', '01', '--provider', 'typo')).code).toBe(2)
  expect(readFileSync(objectives, 'utf8')).toBe(before)
})

describe('a workspace with faults', () => {
  it('a contract that names a missing file: the path, where it was looked for, the nearest name', async () => {
    const { folder, icm } = await course()
    const contract = join(folder, 'pipeline/01-scope/CONTEXT.md')
    writeFileSync(contract, readFileSync(contract, 'utf8').replace('audience.md', 'audiense.md'))
    const result = await icm('run')
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(/CONTEXT\.md:\d+:.*audiense\.md/)
    expect(result.stderr).toContain('_config/audience.md')
  })

  it('an input that another stage makes: which stage', async () => {
    const { icm } = await course()
    const result = await icm('run', '--stage', '03-outline')
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('01-scope') })
  })

  it('an unknown stage lists the stages', async () => {
    const { icm } = await course()
    for (const words of [
      ['probe', '07-publish'],
      ['run', '--stage', '07-publish'],
      ['redo', '07-publish'],
    ]) {
      expect(await icm(...words)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/01-scope.*04-draft/s),
      })
    }
  })

  it('a folder without stages, and no workspace at all', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'notes'))
    const icm = cliIn(folder)
    expect(await icm('status', '--workspace', 'notes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('context/no-workspace'),
    })
    expect(await icm('run')).toMatchObject({ code: 2, stderr: expect.stringContaining('icm init') })
  })

  it('a broken configuration: line and nearest key', async () => {
    const { folder, icm } = await course()
    writeFileSync(join(folder, 'icm.config.toml'), '[search]\nlibary = "x"\n')
    const result = await icm('run')
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('icm.config.toml:2') })
    expect(result.stderr).toContain('Did you mean "library"?')
  })

  it('a server that nobody configured, a tool that it does not have, a library that is not there', async () => {
    const { folder, icm } = await course()
    await icm('run')
    const path = join(folder, 'pipeline/02-research/CONTEXT.md')
    const contract = readFileSync(path, 'utf8')
    writeFileSync(path, contract.replace('search-server: search', 'serch-server: search'))
    expect((await icm('run')).stderr).toContain('Did you mean "search-server"?')
    writeFileSync(path, contract.replace('search-server: search', 'search-server: serch'))
    expect((await icm('run')).stderr).toContain('Did you mean "search"?')
    writeFileSync(path, contract)
    rmSync(join(folder, 'library'), { recursive: true })
    expect((await icm('run')).stderr).toMatch(/cli\/no-library/)
  })

  it('init never writes over files', async () => {
    const { folder } = await course()
    const before = readdirSync(folder)
    expect(await cliIn(folder)('init')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not empty'),
    })
    expect(await cliIn(folder)('init', 'x', '--template', 'minimum')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('minimal'),
    })
    expect(readdirSync(folder)).toEqual(before)
  })
})

describe('programs of a workspace', () => {
  const configuration = '[servers.notes]\ncommand = "node"\nargs = ["notes.mjs", "a b"]\n'

  it('cannot hide their command from the person: what moves the cursor is shown', async () => {
    const { folder, icm } = await course()
    await icm('run')
    const hiding = '[servers.notes]\ncommand = "node"\nargs = ["evil.mjs", "\\u001b[2K\\u202e safe"]\n'
    writeFileSync(join(folder, 'icm.config.toml'), hiding)
    const path = join(folder, 'pipeline/02-research/CONTEXT.md')
    writeFileSync(path, readFileSync(path, 'utf8').replace('search-server: search', 'notes: search'))
    let asked = ''
    const ask = async (question: string) => {
      asked = question
      return false
    }
    expect((await cliIn(folder, { env: { OLLAMA_HOST: server.host }, ask })('run')).code).toBe(3)
    expect(asked).toContain('evil.mjs')
    for (const hidden of ['\u001b', '\u202e']) expect(asked).not.toContain(hidden)
    writeFileSync(join(folder, 'icm.config.toml'), '[servers."a b"]\ncommand = "x"\n')
    expect(await icm('run')).toMatchObject({ code: 2, stderr: expect.stringContaining('plain name') })
  })

  it('are asked about again when a script that they name has changed', async () => {
    const { folder, icm } = await course()
    await icm('run')
    writeFileSync(
      join(folder, 'icm.config.toml'),
      '[servers.notes]\ncommand = "node"\nargs = ["notes.mjs"]\n',
    )
    writeFileSync(join(folder, 'notes.mjs'), 'process.exit(1)')
    const path = join(folder, 'pipeline/02-research/CONTEXT.md')
    writeFileSync(path, readFileSync(path, 'utf8').replace('search-server: search', 'notes: search'))
    let questions = 0
    const ask = async () => {
      questions++
      return true
    }
    const asking = cliIn(folder, { env: { OLLAMA_HOST: server.host }, ask })
    await asking('run')
    await asking('run')
    expect(questions).toBe(1)
    writeFileSync(join(folder, 'notes.mjs'), 'process.exit(2)')
    await asking('run')
    expect(questions).toBe(2)
  })

  it('do not start before a person has agreed; without a terminal the flag is named', async () => {
    const { folder, icm } = await course()
    await icm('run')
    writeFileSync(join(folder, 'icm.config.toml'), configuration)
    const path = join(folder, 'pipeline/02-research/CONTEXT.md')
    writeFileSync(path, readFileSync(path, 'utf8').replace('search-server: search', 'notes: search'))
    const refused = await icm('run')
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('--trust-workspace') })
    expect(refused.stderr).toContain('notes: node notes.mjs "a b"')
    const questions: string[] = []
    const ask = async (question: string) => {
      questions.push(question)
      return true
    }
    const asked = cliIn(folder, { env: { OLLAMA_HOST: server.host }, ask })
    await asked('run')
    await asked('run')
    expect(questions).toHaveLength(1)
    expect(questions[0]).toContain('notes: node notes.mjs "a b"')
    writeFileSync(join(folder, 'icm.config.toml'), configuration.replace('a b', 'a c'))
    await asked('run')
    expect(questions).toHaveLength(2)
  })
})

describe('the disk and other processes', () => {
  const canMount = process.platform === 'linux' && process.getuid?.() === 0
  const mounts: string[] = []
  afterAll(() => {
    for (const place of mounts) {
      spawnSync('umount', [place])
      rmdirSync(place)
    }
  })

  function mount(options: string): string {
    const place = mkdtempSync(join(tmpdir(), 'icm-mount-'))
    const result = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place])
    if (result.status !== 0) throw new Error(`mount failed: ${result.stderr}`)
    mounts.push(place)
    return place
  }

  it('a second run beside the first is refused and says who holds the lock', async () => {
    const { folder, icm } = await course()
    mkdirSync(join(folder, '.icm'))
    const owner = { pid: process.pid, host: hostname(), since: '2026-01-01T00:00:00Z', purpose: 'icm run' }
    writeFileSync(join(folder, '.icm', 'lock'), JSON.stringify(owner))
    const result = await icm('run')
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining(`process ${process.pid}`) })
    expect((await icm('status')).stdout).toContain(`in use by process ${process.pid}`)
  })

  it.skipIf(!canMount)(
    'a disk that fills up in the middle of a stage: nothing half-written, and the run goes on once there is room (needs root on Linux)',
    async () => {
      const { folder } = await course()
      const place = mount('size=600k')
      cpSync(folder, place, { recursive: true })
      const text = `1. ${'Start the server and check its answer. '.repeat(1_000)}`
      const filling = await startFakeOllama({
        models: ['some-model:1b'],
        answer: () => {
          fill(join(place, 'filler'))
          return text
        },
      })
      const icm = cliIn(place, { env: { OLLAMA_HOST: filling.host, HOME: folder } })
      const full = await icm('run')
      expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining('The disk is full') })
      const output = join(place, 'pipeline/01-scope/output')
      expect(readdirSync(output)).toEqual(['.gitkeep'])
      expect(existsSync(join(place, '.icm', 'lock'))).toBe(false)
      rmSync(join(place, 'filler'))
      await filling.close()
      expect((await cliIn(place, { env: { OLLAMA_HOST: server.host, HOME: folder } })('run')).code).toBe(0)
      expect(readdirSync(output).sort()).toEqual(['.gitkeep', 'objectives.md'])
    },
  )

  /** Takes all room of a small file system but a few kilobytes. */
  function fill(path: string): void {
    for (let size = 200_000; size >= 4_096; ) {
      try {
        writeFileSync(path, Buffer.alloc(size), { flag: 'a' })
      } catch {
        size = Math.floor(size / 2)
      }
    }
  }

  it.skipIf(!canMount)('a read-only folder: says so (needs root on Linux)', async () => {
    const { folder } = await course()
    const place = mount('size=2m')
    cpSync(folder, place, { recursive: true })
    spawnSync('mount', ['-o', 'remount,ro', place])
    const icm = cliIn(place, { env: { OLLAMA_HOST: server.host, HOME: folder } })
    expect(await icm('run')).toMatchObject({ code: 1, stderr: expect.stringContaining('read-only') })
    expect((await icm('status')).code).toBe(0)
    expect((await icm('doctor')).stdout).toMatch(/fault {3}write access/)
  })
})

it('an interrupted run ends with 130 and says how to go on', async () => {
  const { folder } = await course()
  const controller = new AbortController()
  const slow = await startFakeOllama({
    models: ['some-model:1b'],
    answer: () => {
      controller.abort(new DOMException('interrupted', 'AbortError'))
      return { text: 'never read', delayMs: 5_000 }
    },
  })
  const result = await cliIn(folder, { env: { OLLAMA_HOST: slow.host }, signal: controller.signal })('run')
  expect(result).toMatchObject({ code: 130, stderr: expect.stringContaining('goes on from there') })
  await slow.close()
})
