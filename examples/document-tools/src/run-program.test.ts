import { readdir, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startProgram } from './start-program.js'
import { makeToolFolder, type ToolFolder } from './testing/tool-folder.js'

let folder: ToolFolder
beforeEach(async () => {
  folder = await makeToolFolder({ 'a.txt': 'b\na\n', 'sub/b.txt': 'c\n', 'c.md': '' })
})
afterEach(() => folder.remove())

const run = (given: unknown) => folder.call('run_program', given)
const node = (source: string) => ({
  program: { command: process.execPath, about: 'runs', options: ['-e', source] },
})
const runNode = (source: string, options: Parameters<ToolFolder['call']>[2] = {}) =>
  folder.call(
    'run_program',
    { program: 'program', options: ['-e', source], files: ['a.txt'] },
    { ...options, tools: { programs: node(source) } },
  )

it('runs a program of the list over files and patterns; a read needs nobody', async () => {
  const outcome = await run({ cmd: 'wc', flags: '-l', files: ['*.txt'] })
  expect(outcome).toMatchObject({ status: 'ok', level: 'none' })
  expect(outcome.text).toMatch(/^wc ended with exit code 0:\n *2 a\.txt\n *1 sub\/b\.txt\n *3 total$/)
  expect((await run({ program: 'sort', files: ['a.txt'] })).text).toBe('sort ended with exit code 0:\na\nb')
  expect((await run({ program: 'diff', files: ['a.txt', 'sub/b.txt'] })).text).toContain(
    'diff ended with exit code 1:\n',
  )
})

it('how much it changes follows from program and files', async () => {
  expect((await run({ program: 'gzip', files: ['c.md'] })).level).toBe('point')
  const two = await run({ program: 'gzip', files: ['*.txt'] })
  expect(two).toMatchObject({ status: 'ok', level: 'local', objects: 2 })
  expect(two.dryRun).toBe('Would run gzip -- a.txt sub/b.txt')
  expect(await readdir(folder.root)).toEqual(expect.arrayContaining(['a.txt.gz', 'c.md.gz']))
  for (let index = 0; index < 12; index++) await folder.write(`n${index}.log`, '')
  const many = await run({ program: 'gzip', files: ['*.log'] })
  expect(many).toMatchObject({
    status: 'needs_consent',
    request: { objects: 12, backup: expect.stringContaining('gunzip') },
  })
})

it('refuses other programs, options that write, and paths outside, and says what may be used', async () => {
  expect((await run({ program: 'rm', files: ['a.txt'] })).text).toContain('wc')
  const option = await run({ program: 'sort', options: ['--output=x'], files: ['a.txt'] })
  expect(option.text).toContain('It may have: -n, -r, -u, -f.')
  for (const program of ['wc', 'gzip'])
    expect((await run({ program, files: ['../x'] })).text).toContain('outside the folder')
  await symlink(tmpdir(), join(folder.root, 'link'))
  expect((await run({ program: 'wc', files: ['link/x'] })).text).toContain('outside the folder')
  expect((await run({ program: 'wc', files: ['*.pdf'] })).text).toContain('No file matches "*.pdf"')
})

it('no shell reads the words, and a file named like an option stays a file', async () => {
  await folder.write('-l', 'x\n')
  await folder.write('$(touch owned);.txt', 'one two\n')
  const outcome = await run({ program: 'wc', options: ['-w'], files: ['-l', '$(touch owned);.txt'] })
  expect(outcome.text).toMatch(/1 -l\n *2 \$\(touch owned\);\.txt/)
  expect(await readdir(folder.root)).not.toContain('owned')
})

it('a failure comes with what the program printed', async () => {
  const outcome = await run({ program: 'wc', files: ['missing.txt'] })
  expect(outcome).toMatchObject({ status: 'error' })
  expect(outcome.text).toContain('missing.txt: No such file')
  const absent = {
    tools: { programs: { x: { command: 'no-such-program-here', about: 'is absent', options: [] } } },
  }
  const text = (await folder.call('run_program', { program: 'x', files: ['a.txt'] }, absent)).text
  expect(text).toContain('This machine has no such program (ENOENT).')
})

it('a long output is cut in the middle, and recall_result has the rest', async () => {
  const source = 'for (let i = 1; i <= 900; i++) console.log("row " + i)'
  const { text } = await runNode(source)
  expect(text.length).toBeLessThanOrEqual(2_000)
  const from = Number(/recall_result\(result="run_program", from=(\d+)/.exec(text)?.[1])
  expect(text).toContain(`row ${from - 2}\n`)
  const rest = await folder.call('recall_result', { result: 'run_program', from, lines: 3 })
  expect(rest.text.split('\n').slice(1)).toEqual([0, 1, 2].map((more) => `row ${from - 1 + more}`))
})

it('the environment is not handed over', async () => {
  process.env.DOCUMENT_TOOLS_TEST_SECRET = 'secret'
  const { text } = await runNode('console.log(Object.keys(process.env).sort().join())')
  delete process.env.DOCUMENT_TOOLS_TEST_SECRET
  expect(text).toBe('program ended with exit code 0:\nLANG,LC_ALL,PATH')
})

it('an abort ends the program and what it has started', async () => {
  const child = `require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" })`
  const source = `const c = ${child}; require("node:fs").writeFileSync("pids", process.pid + " " + c.pid); setInterval(() => {}, 1000)`
  const stop = new AbortController()
  const ended = startProgram({
    command: process.execPath,
    words: ['-e', source],
    folder: folder.root,
    signal: stop.signal,
  }).catch((error: unknown) => error)
  let pids: number[] = []
  while (pids.length < 2) {
    await wait(20)
    const { text } = await folder.call('read_document', { path: 'pids' })
    pids = /\n(\d+) (\d+)/.exec(text)?.slice(1).map(Number) ?? []
  }
  stop.abort(new DOMException('enough', 'AbortError'))
  expect(await ended).toBe(stop.signal.reason)
  for (const pid of pids) while (isRunning(pid)) await wait(20)
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
