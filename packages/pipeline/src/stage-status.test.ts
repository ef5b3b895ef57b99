import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Workspace, WorkspaceFiles } from '@icm/context-loader'
import { describe, expect, it } from 'vitest'
import { drafts, run } from './__fixtures__/run-scripted.js'
import { type TestWorkspace, testWorkspace, threeModules } from './__fixtures__/test-workspace.js'
import { readStatus } from './stage-status.js'

const lastContract = 'pipeline/03-draft/CONTEXT.md'

describe('a stage whose contract cannot be read', () => {
  const breakIt = (place: TestWorkspace) => {
    place.remove(lastContract)
    mkdirSync(join(place.root, lastContract))
  }

  it('is shown with its problem, and the others as ever', async () => {
    const place = testWorkspace()
    breakIt(place)
    place.write('pipeline/03-draft/output/draft.md', 'text')
    const statuses = await readStatus(await place.open())
    expect(statuses.map((status) => status.state)).toEqual(['pending', 'pending', 'pending'])
    expect(statuses[0]?.faults).toEqual([])
    expect(statuses[1]?.faults).toMatchObject([{ code: 'context/missing-input' }])
    expect(statuses[2]).toMatchObject({
      outputs: [],
      faults: [{ severity: 'error', path: lastContract, what: expect.stringContaining(lastContract) }],
    })
  })

  it('does not stop the stages before it; reached, it stops the run', async () => {
    const place = testWorkspace()
    breakIt(place)
    const { events } = await run(place, ['1. Goal'])
    expect(events.at(-1)).toMatchObject({ type: 'run-end', outcome: 'gate' })
    const rest = run(place, [threeModules], { all: true })
    await expect(rest).rejects.toMatchObject({
      code: 'pipeline/stage-not-ready',
      message: expect.stringContaining(lastContract),
    })
    expect(place.read('pipeline/02-outline/output/outline.md')).toBe(`${threeModules}\n`)
  })
})

describe('faults of the workspace', () => {
  it('two stages with one number: earlier stages run, these and later ones are refused', async () => {
    const place = testWorkspace({
      'pipeline/02-other/CONTEXT.md': '# Stage: 02-other\n\n## Process\nWrite.\n',
    })
    const { events } = await run(place, ['1. Goal'])
    expect(events.find((event) => event.type === 'gate')).toMatchObject({
      next: { stage: '02-other', problem: expect.stringContaining('same number') },
    })
    for (const options of [{}, { all: true }, { stage: '02-outline' }, { stage: '03' }]) {
      await expect(run(place, [], options)).rejects.toMatchObject({
        code: 'pipeline/stage-not-ready',
        message: expect.stringContaining('same number'),
      })
    }
    const faults = (await readStatus(await place.open())).map((status) =>
      status.faults.some((fault) => fault.code === 'context/same-number'),
    )
    expect(faults).toEqual([false, true, true, true])
  })

  it('a last stage that leads outside: the workspace is not finished without it', async () => {
    const place = linkedStage('04-publish')
    const { result, events } = await run(place, ['1. Goal', threeModules, ...drafts], { all: true })
    expect(result.outcome).toBe('gate')
    expect(events.findLast((event) => event.type === 'gate')).toMatchObject({
      next: { stage: '04-publish', problem: expect.stringContaining('outside') },
    })
    await expect(run(place, [])).rejects.toMatchObject({
      code: 'pipeline/stage-not-ready',
      message: expect.stringContaining('04-publish'),
    })
  })

  it('a stage in the middle that leads outside is not passed over', async () => {
    const place = linkedStage('01b-check')
    await run(place, ['1. Goal'])
    await expect(run(place, [])).rejects.toMatchObject({
      code: 'pipeline/stage-not-ready',
      message: expect.stringContaining('01b-check'),
    })
  })

  it('a CLAUDE.md that leads outside stops every stage', async () => {
    const place = testWorkspace()
    const elsewhere = testWorkspace()
    rmSync(join(place.root, 'CLAUDE.md'))
    symlinkSync(join(elsewhere.root, 'CLAUDE.md'), join(place.root, 'CLAUDE.md'))
    await expect(run(place, [])).rejects.toMatchObject({
      code: 'pipeline/stage-not-ready',
      message: expect.stringContaining('CLAUDE.md'),
    })
  })

  function linkedStage(name: string): TestWorkspace {
    const place = testWorkspace()
    const elsewhere = testWorkspace()
    symlinkSync(join(elsewhere.root, 'pipeline/01-scope'), join(place.root, 'pipeline', name))
    return place
  }
})

describe('an input that says nothing stops the stage', () => {
  it.each([
    ['an empty file', ''],
    ['white space', ' \n\t\n'],
    ['UTF-16 without a byte order mark', Buffer.from('An idea.', 'utf16le')],
    ['bytes that are no text', Buffer.from([0x41, 0xff, 0xfe, 0x00, 0x42])],
  ])('%s', async (_, content) => {
    const place = testWorkspace()
    writeFileSync(join(place.root, 'pipeline/01-scope/input.md'), content)
    await expect(run(place, [])).rejects.toMatchObject({
      code: 'pipeline/stage-not-ready',
      message: expect.stringContaining('input.md'),
    })
  })
})

it('UTF-16 with a byte order mark is read as text', async () => {
  const place = testWorkspace()
  writeFileSync(join(place.root, 'pipeline/01-scope/input.md'), Buffer.from('\ufeffAn idea.', 'utf16le'))
  const { model } = await run(place, ['1. Goal'])
  expect(JSON.stringify(model.requests[0]?.messages)).toContain('An idea.')
})

it('reads every contract once', async () => {
  const place = testWorkspace()
  const count = 120
  for (let number = 4; number <= count; number++) {
    const before = number - 1
    place.write(
      `pipeline/${number}-step/CONTEXT.md`,
      `# Stage\n\n## Inputs\n- Layer 4: ../${before}-step/output/step.md\n- Layer 3: ../../_config/voice.md\n\n## Process\nWrite.\n\n## Outputs\n- step.md -> output/\n`,
    )
  }
  const { workspace, reads } = counting(await place.open())
  const statuses = await readStatus(workspace)
  expect(statuses).toHaveLength(count)
  expect(statuses[50]?.faults).toMatchObject([{ details: { producer: '50-step' } }])
  const contracts = [...reads].filter(([path]) => path.endsWith('/pipeline/50-step/CONTEXT.md'))
  expect(contracts.map(([, times]) => times)).toEqual([1])
  expect(reads.size).toBeGreaterThan(count)
  expect([...reads].filter(([path, times]) => times > 1 && path.includes('/pipeline/'))).toEqual([])
})

/** The workspace with its reads counted, as it is when nothing has been edited for a while. */
function counting(workspace: Workspace) {
  const reads = new Map<string, number>()
  const { files } = workspace
  const counted: WorkspaceFiles = {
    ...files,
    stampOf: async (path) => {
      const stamp = await files.stampOf?.(path)
      return stamp && { ...stamp, modifiedMs: 0, changedMs: 0 }
    },
    readBytes: async (path) => {
      reads.set(path, (reads.get(path) ?? 0) + 1)
      return Buffer.from(await files.readText(path), 'utf8')
    },
  }
  return { workspace: { ...workspace, files: counted }, reads }
}

it('a finished workspace names its stale stages', async () => {
  const place = testWorkspace()
  const first = await run(place, ['1. Goal', threeModules, ...drafts], { all: true })
  expect(first.result.stale).toEqual([])
  place.write('pipeline/01-scope/output/goals.md', 'Edited.')
  const stale = [{ stage: '02-outline', reasons: ['pipeline/01-scope/output/goals.md changed'] }]
  expect((await run(place, [])).result).toEqual({ outcome: 'finished', stages: [], stale })
  place.remove('pipeline/03-draft/output/draft.md')
  const again = await run(place, [], { all: true })
  expect(again.result).toMatchObject({ outcome: 'finished', stale })
  expect(again.events.at(-1)).toMatchObject({ type: 'run-end', stale })
})
