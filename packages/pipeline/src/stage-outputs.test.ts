import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { drafts, run, states } from './__fixtures__/run-scripted.js'
import { type TestWorkspace, testWorkspace, threeModules } from './__fixtures__/test-workspace.js'
import { readStatus } from './stage-status.js'

const scopeOutput = 'pipeline/01-scope/output'

describe('an output that cannot be written is found before the model is asked', () => {
  it.each([
    ['a folder', 'goals.md', (path: string) => mkdirSync(path, { recursive: true })],
    ['a file', '', (path: string) => writeFileSync(path, '')],
    ['a symbolic link', 'goals.md', (path: string) => link('nowhere', path)],
    ['a symbolic link', '', (path: string) => link('nowhere', path)],
  ])('%s in the way at output/%s', async (kind, name, obstruct) => {
    const place = testWorkspace()
    obstruct(join(place.root, scopeOutput, name))
    await expect(run(place, [])).rejects.toMatchObject({
      code: 'pipeline/stage-not-ready',
      message: expect.stringMatching(new RegExp(`output.*${kind}`)),
      instead: expect.stringContaining(join(place.root, scopeOutput, name)),
    })
    const [status] = await readStatus(await place.open())
    expect(status).toMatchObject({ state: 'pending', faults: [{ code: 'pipeline/output-in-the-way' }] })
    place.remove(join(scopeOutput, name))
    await run(place, ['1. Goal'])
    expect(place.read(`${scopeOutput}/goals.md`)).toBe('1. Goal\n')
  })

  it('also one of several, where the stage would otherwise never be done', async () => {
    const place = severalOutputs('a.md', 'b.md')
    mkdirSync(join(place.root, scopeOutput, 'b.md'), { recursive: true })
    await expect(run(place, [])).rejects.toMatchObject({ code: 'pipeline/stage-not-ready' })
    expect(readdirSync(join(place.root, scopeOutput))).toEqual(['b.md'])
  })

  it('also when one output is the folder of another', async () => {
    const place = severalOutputs('a.md', 'a.md/b.md')
    await expect(run(place, [])).rejects.toMatchObject({ code: 'file/in-the-way' })
  })

  it('redo then leaves the finished outputs where they are', async () => {
    const place = severalOutputs('a.md', 'b.md')
    place.write(`${scopeOutput}/a.md`, 'text a')
    mkdirSync(join(place.root, scopeOutput, 'b.md'))
    await expect(run(place, [], { stage: '1', redo: 'fresh' })).rejects.toMatchObject({
      code: 'pipeline/stage-not-ready',
    })
    expect(place.read(`${scopeOutput}/a.md`)).toBe('text a')
  })

  it('a place for finished items that cannot be written stops before the item', async () => {
    const place = testWorkspace({
      'pipeline/01-scope/output/goals.md': '1. Goal',
      'pipeline/02-outline/output/outline.md': threeModules,
      '.icm/stages/03-draft/items': 'a file',
    })
    await expect(run(place, [])).rejects.toMatchObject({
      code: 'pipeline/unsafe-state',
      message: expect.stringContaining('items'),
    })
    place.remove('.icm/stages/03-draft/items')
    await run(place, drafts)
    expect(await states(place)).toEqual(['done', 'done', 'done'])
  })

  const canMount = process.platform === 'linux' && process.getuid?.() === 0
  const mounts: string[] = []
  afterEach(() => {
    for (const mounted of mounts.splice(0)) spawnSync('umount', [mounted])
  })

  it.skipIf(!canMount)('a read-only output folder: says so (needs root on Linux)', async () => {
    const place = testWorkspace()
    const output = join(place.root, scopeOutput)
    mkdirSync(output)
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', output])
    mounts.push(output)
    await expect(run(place, [])).rejects.toMatchObject({
      code: 'file/read-only',
      message: expect.stringContaining('goals.md'),
    })
    spawnSync('umount', [output])
    await run(place, ['1. Goal'])
  })
})

function link(target: string, path: string): void {
  mkdirSync(join(path, '..'), { recursive: true })
  symlinkSync(target, path)
}

function severalOutputs(...names: readonly string[]): TestWorkspace {
  const lines = names.map((name) => `- ${name} -> output/`)
  return testWorkspace({
    'pipeline/01-scope/CONTEXT.md': `# Stage: 01-scope\n\n## Process\nWrite.\n\n## Outputs\n${lines.join('\n')}\n`,
  })
}
