import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FakeOllama, startFakeOllama } from '@icm/chat-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cliIn, temporaryFolder } from './__fixtures__/cli-runner.js'
import { courseScript } from './__fixtures__/course-script.js'
import { runCli } from './run-cli.js'

const hidden = ['\u001b', '\u009b', '\u202e', '\r']

let server: FakeOllama
beforeAll(async () => {
  server = await startFakeOllama({ models: ['some-model:1b'], answer: courseScript })
})
afterAll(() => server.close())

/** A workspace of two stages in a folder of that name. */
async function minimal(name = 'work') {
  const home = temporaryFolder()
  const made = await cliIn(home)('init', name, '--template', 'minimal')
  const folder = join(home, name)
  writeFileSync(join(folder, 'stages/01-collect/input.md'), 'Some material.\n')
  return { home, folder, made, icm: cliIn(folder, { env: { OLLAMA_HOST: server.host } }) }
}

describe('a printed command can be pasted into a shell', () => {
  it
    .skipIf(spawnSync('bash', ['-c', '']).status !== 0)
    .each(['my course', "it's", 'two\nlines', '-x', '$(touch evil)'])(
    'after init in %j (bash)',
    async (name) => {
      const home = temporaryFolder()
      // A name that begins with a dash is no option after the two dashes.
      const made = await cliIn(home)('init', '--template', 'minimal', '--', name)
      expect(made.code, made.stderr).toBe(0)
      const enter = /^ {2}(cd .*)$/m.exec(made.stdout)?.[1] ?? ''
      const { stdout } = spawnSync('bash', ['-c', `${enter} && ls`], { cwd: home, encoding: 'utf8' })
      expect(stdout).toContain('stages')
      expect(existsSync(join(home, 'evil'))).toBe(false)
    },
  )

  it('and keeps the options that the person gave', async () => {
    const { home, folder } = await minimal('my course')
    const tape = join(home, "tape's.json")
    const icm = cliIn(home, { env: { OLLAMA_HOST: server.host } })
    const options = ['--workspace', folder, '--model', 'some-model:1b', '--record', tape]
    const first = await icm('run', ...options)
    const kept = `--workspace '${folder}' --model some-model:1b --record '${home}/tape'\\''s.json'`
    expect(first.stdout).toContain(`go on with: icm run ${kept}\n`)
    expect((await icm('run', '--stage', '1', ...options)).stderr).toContain(`icm redo ${kept} 01-collect\n`)
    await icm('run', ...options)
    writeFileSync(join(folder, 'stages/01-collect/input.md'), 'Other material.\n')
    const done = await icm('run', ...options)
    expect(done.code).toBe(0)
    expect(done.stdout).toMatch(
      /stale: 01-collect \(.*input\.md.*\); to run it again: icm redo .* 01-collect\n/,
    )
    expect(done.stdout).toContain(`to run it again: icm redo ${kept} 01-collect\n`)
    expect((await icm('status', '--workspace', folder)).stdout).toMatch(
      /every stage is done, not all .*\nto run it again: icm redo --workspace '.*' 01-collect\n/,
    )
    rmSync(join(folder, 'stages/02-write/output'), { recursive: true })
    expect((await icm('status', '--workspace', folder)).stdout).toContain(
      `icm run --workspace '${folder}' (02-write)`,
    )
  })
})

describe('names from elsewhere are never raw on the terminal', () => {
  it('of stages, folders, files, items and errors', async () => {
    const { folder } = await minimal('wo\u001b[2Krk')
    renameSync(join(folder, 'stages/01-collect'), join(folder, 'stages/01-col\u001b[31m\u202elect\u009b'))
    const contract = join(folder, 'stages/02-write/CONTEXT.md')
    writeFileSync(contract, readFileSync(contract, 'utf8').replace('01-collect', '01-col\u001b[31mlost'))
    const terminal = { env: { OLLAMA_HOST: server.host, NO_COLOR: '1' } }
    const icm = cliIn(folder, terminal)
    const printed: string[] = []
    for (const words of [
      ['status'],
      ['status', '--json'],
      ['run'],
      ['run'],
      ['status'],
      ['probe', '01', '--json'],
      ['probe', '2'],
      ['probe', '\u001b[2Kx'],
      ['run', '--stage', '1'],
      ['doctor'],
      ['redo', '\u001b[2Kx'],
      ['ru\u001b[2Kn'],
      ['run', '--pro\u001b[2Kvider', 'x'],
      ['run', '--model', 'evil\u001b[2K:1b'],
      ['run', '--replay', 'no\u001b[2K.json'],
    ]) {
      const { stdout, stderr } = await icm(...words)
      printed.push(words[0] === 'probe' && words.length === 2 ? stderr : stdout + stderr)
    }
    for (const text of printed) for (const character of hidden) expect(text).not.toContain(character)
    expect(printed.join('')).toContain('01-col\\u001b[31m\\u202elect\\u009b')
  })

  it('of the material that probe prints, which is exact when no terminal reads it', async () => {
    const { folder } = await minimal()
    writeFileSync(join(folder, 'stages/01-collect/input.md'), 'A \u001b[31mred\u001b[0m fact.\n')
    expect((await cliIn(folder)('probe', '1')).stdout).toContain('A \u001b[31mred')
    let shown = ''
    await runCli(['probe', '1'], {
      env: { HOME: folder, TERM: 'xterm' },
      currentFolder: folder,
      signal: new AbortController().signal,
      stdout: { isTTY: true, write: (text) => (shown += text) },
      stderr: { write: () => undefined },
    })
    expect(shown).toContain('A \\u001b[31mred')
  })
})

describe('probe --item', () => {
  it('names the items when there is no such one', async () => {
    const home = temporaryFolder()
    await cliIn(home)('init', 'course')
    const folder = join(home, 'course')
    const icm = cliIn(folder)
    expect(await icm('probe', '04-draft', '--item', '1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no items yet'),
    })
    expect((await icm('probe', '01-scope', '--item', '1')).stderr).toContain('is no for-each stage')
    mkdirSync(join(folder, 'pipeline/03-outline/output'), { recursive: true })
    writeFileSync(
      join(folder, 'pipeline/03-outline/output/outline.md'),
      '## Module 1: Start\n- one\n\n## Module 2: Call\n- two\n',
    )
    for (const item of ['99', '0', 'x', '01'])
      expect(await icm('probe', '04-draft', '--item', item)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/Its items are: 1 .*Start, 2 .*Call\.[\s\S]*from 1 to 2/),
      })
    expect((await icm('probe', '04-draft', '--item', '2')).stdout).toContain('Module 2: Call')
  })
})

describe('exit code 2, usage or configuration', () => {
  it.each([
    [['run', '--model', ''], {}, '--model was given an empty text'],
    [['run', '--workspace='], {}, '--workspace was given an empty text'],
    [['init', ''], {}, '[dir] was given an empty text'],
    [['run'], { OLLAMA_HOST: 'http://a b' }, 'is not an address'],
    [['run', '--host', '::bad::host::'], {}, 'is not an address'],
    [['run', '--replay', 'nowhere.json'], {}, 'nowhere.json could not be read (ENOENT)'],
    [['run', '--replay', '.'], {}, 'could not be read (EISDIR)'],
    [['run', '--record', '.'], {}, 'Name another file with --record'],
    [['run', '--replay', 'stages/01-collect/CONTEXT.md'], {}, '(chat/bad-cassette)'],
    [['run', '--replay', 'odd.json'], {}, 'contextWindow is no number of tokens'],
  ] as const)('%j %j', async (words, env, text) => {
    const { folder } = await minimal()
    const odd = { version: 1, model: 'm', contextWindow: '8k', messages: {}, tools: {}, exchanges: [] }
    writeFileSync(join(folder, 'odd.json'), JSON.stringify(odd))
    const result = await cliIn(folder, { env })(...words)
    expect(result.stderr).toContain(text)
    expect(result.code).toBe(2)
    expect(result.stderr).not.toContain('    at ')
  })

  it.each([
    ['temperature = inf', 'inf'],
    ['temperature = nan', 'nan'],
    ['temperature = -inf', '-inf'],
    ['context_window = 1e400', 'inf'],
  ])('icm.config.toml with %s, and its line', async (line, shown) => {
    const { folder } = await minimal()
    writeFileSync(join(folder, 'icm.config.toml'), `# comment\n[model]\n${line}\n`)
    const result = await cliIn(folder)('run')
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('icm.config.toml:3') })
    expect(result.stderr).toContain(`It is ${shown}.`)
  })

  it('doctor calls an OLLAMA_HOST that is no address a fault, also when a model file is there', async () => {
    const { folder } = await minimal()
    writeFileSync(join(folder, 'mine.gguf'), 'x')
    const env = { OLLAMA_HOST: 'http://a b', ICM_MODEL_PATH: join(folder, 'mine.gguf') }
    const result = await cliIn(folder, { env })('doctor')
    expect(result).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('fault   Ollama: The Ollama host'),
    })
  })
})

it('nothing half-made is left by a refused command', async () => {
  const home = temporaryFolder()
  await cliIn(home)('init', 'x', '--template', 'none')
  expect(readdirSync(home)).toEqual([])
})
