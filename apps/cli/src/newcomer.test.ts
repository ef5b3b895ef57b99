import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FakeOllama, startFakeOllama } from '@icm/chat-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cliIn, temporaryFolder } from './__fixtures__/cli-runner.js'
import { courseScript } from './__fixtures__/course-script.js'

let server: FakeOllama
beforeAll(async () => {
  server = await startFakeOllama({ models: ['some-model:1b'], answer: courseScript })
})
afterAll(() => server.close())

async function course() {
  const home = temporaryFolder()
  const env = { OLLAMA_HOST: server.host }
  const made = await cliIn(home, { env })('init', 'my-course')
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('cd my-course') })
  const folder = join(home, 'my-course')
  const output = (path: string) => join(folder, 'pipeline', path)
  return {
    folder,
    icm: cliIn(folder, { env }),
    output,
    text: (path: string) => readFileSync(output(path), 'utf8'),
  }
}

const objectives = '01-scope/output/objectives.md'
const outline = '03-outline/output/outline.md'
const draft = '04-draft/output/draft.md'

describe('a newcomer', () => {
  it('goes from init to the draft, gate by gate', async () => {
    const { icm, text, output } = await course()
    expect((await icm('status')).stdout).toMatch(
      /03-outline +pending .*\n +waits for 01-scope, 02-research\n/,
    )
    const first = await icm('run')
    expect(first.code).toBe(0)
    expect(first.stdout).toContain('some-model:1b is the first of its models that can call tools')
    expect(first.stdout).toMatch(
      /--- review gate: 01-scope ---[\s\S]*next: 02-research, 4 turns; go on with: icm run/,
    )
    writeFileSync(output(objectives), '1. An objective of mine.\n')

    const second = await icm('run')
    expect(second.code).toBe(0)
    expect(second.stdout).toContain('[skip] 01-scope: output already present')
    expect(second.stdout).toMatch(/> search-server_search \{"query":"default port"\}/)
    expect(second.stdout).toMatch(/< [\d,]+ characters/)
    expect(second.stdout).toMatch(/! .*made-up/)
    expect(JSON.stringify(server.chats.at(-1)?.body?.messages)).toContain('An objective of mine')

    expect((await icm('run')).stdout).toContain('next: 04-draft, 3 turns')
    expect(text(outline)).toMatch(/^## Module 1: Start/)
    writeFileSync(output(outline), '## Module 1: Start\n- one\n\n## Module 3: Read\n- three\n')

    const fourth = await icm('run')
    expect(fourth.stdout).toContain('[1/2] Module 1: Start')
    expect(fourth.stdout).toContain('[2/2] Module 3: Read')
    expect(text(draft)).not.toContain('Module 2')
    expect((await icm('run')).stdout).toContain('nothing to do')
    expect((await icm('status')).stdout).toContain('every stage is done')
  }, 60_000)

  it('deletes an output and gets only that stage again; redo runs the one that became stale', async () => {
    const { icm, output } = await course()
    expect((await icm('run', '--all')).code).toBe(0)
    rmSync(output(outline))
    const again = await icm('run')
    expect(again.stdout).toContain('--- 03-outline ---')
    expect(again.stdout).not.toContain('--- 04-draft ---')
    writeFileSync(output(outline), '## Module 1: Start\n- another point\n\n## Module 2: Call\n- two\n')
    const status = await icm('status')
    expect(status.stdout).toMatch(/04-draft +stale[\s\S]*pipeline\/03-outline\/output\/outline.md changed/)
    const redone = await icm('redo', '04')
    expect(redone.stdout).toMatch(/archived: \.icm\/archive\/04-draft\/.*draft\.md/)
    expect(redone.stdout).toContain('[2/2] Module 2: Call: finished earlier')
    expect((await icm('run', '--stage', '4')).code).toBe(2)
  }, 60_000)

  it('sends every turn of an objective as an exact prefix of the next, and the same beginning for all', async () => {
    const { icm } = await course()
    await icm('run')
    const before = server.chats.length
    await icm('run')
    const bodies = server.chats.slice(before).map((chat) => chat.bodyText)
    const objectiveCount = 4
    const turns = 4
    expect(bodies.length).toBe(objectiveCount * turns)
    const upToLastMessage = (body: string) => {
      const last = JSON.stringify((JSON.parse(body).messages as object[]).at(-1))
      return body.slice(0, body.indexOf(last) + last.length)
    }
    for (const [index, body] of bodies.entries()) {
      const earlier = index === 0 ? '' : upToLastMessage(bodies[index - 1] ?? '')
      if (index % turns > 0) expect(body.slice(0, earlier.length)).toBe(earlier)
    }
    const firsts = bodies.filter((_body, index) => index % turns === 0)
    const shared = firsts[0]?.split('# The objective to write now')[0] ?? ''
    expect(shared.length).toBeGreaterThan(1_000)
    expect(firsts.every((body) => body.startsWith(shared))).toBe(true)
  }, 60_000)

  it('probes a stage without a model: the exact text and the estimate', async () => {
    const { icm, folder } = await course()
    const probed = await cliIn(folder)('probe', '01-scope')
    expect(probed.code).toBe(0)
    expect(probed.stdout).toContain('# Reference material (follow these as constraints)')
    expect(probed.stderr).toMatch(/about \d+ tokens \(estimate\)/)
    await icm('run')
    const [system, user] = server.chats.at(-1)?.body?.messages ?? []
    expect(probed.stdout).toContain(system?.content)
    expect(probed.stdout).toContain(user?.content)
    const missing = await icm('probe', '03-outline')
    expect(missing.code).toBe(1)
    expect(missing.stderr).toContain('02-research')
    expect(JSON.parse((await icm('probe', '1', '--json')).stdout)).toMatchObject({
      stage: '01-scope',
      tokens: expect.any(Number),
    })
  })

  it('records a run and replays it without a model, byte for byte', async () => {
    const { icm, folder, text } = await course()
    expect((await icm('run', '--all', '--record', 'run.cassette.json')).code).toBe(0)
    const recorded = text(draft)
    const replayed = await course()
    writeFileSync(join(replayed.folder, 'run.cassette.json'), readFileSync(join(folder, 'run.cassette.json')))
    const offline = await cliIn(replayed.folder)('run', '--all', '--replay', 'run.cassette.json')
    expect(offline.code).toBe(0)
    expect(replayed.text(draft)).toBe(recorded)
    rmSync(replayed.output(objectives))
    writeFileSync(join(replayed.folder, 'pipeline/01-scope/input.md'), 'Another idea.')
    const miss = await cliIn(replayed.folder)('run', '--replay', 'run.cassette.json')
    expect(miss).toMatchObject({ code: 1, stderr: expect.stringContaining('chat/replay-miss') })
  }, 60_000)

  it('checks the machine with doctor: what is there, and the fix of what is not', async () => {
    const { icm, folder } = await course()
    const good = await icm('doctor')
    expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining('some-model:1b can call tools') })
    rmSync(join(folder, 'library'), { recursive: true })
    const bad = await cliIn(folder)('doctor')
    expect(bad.code).toBe(1)
    expect(bad.stdout).toMatch(/fault {3}Ollama: no answer at 127\.0\.0\.1:9\n.*ollama serve/)
    expect(bad.stdout).toMatch(/fault {3}library/)
  })

  it('makes a minimal workspace that runs', async () => {
    const home = temporaryFolder()
    const env = { OLLAMA_HOST: server.host }
    await cliIn(home, { env })('init', 'small', '--template', 'minimal')
    const icm = cliIn(join(home, 'small'), { env })
    expect((await icm('run', '--all')).code).toBe(0)
    expect(existsSync(join(home, 'small', 'stages', '02-write', 'output', 'text.md'))).toBe(true)
  })
})
