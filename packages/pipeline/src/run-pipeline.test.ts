import { describe, expect, it } from 'vitest'
import { drafts, run, states } from './__fixtures__/run-scripted.js'
import { testWorkspace, threeModules, typesOf } from './__fixtures__/test-workspace.js'
import { readJournal } from './journal.js'
import { stateFolder } from './state-folder.js'

describe('gates', () => {
  it('runs one stage a command and stops, until every stage is done', async () => {
    const place = testWorkspace()
    const first = await run(place, ['1. Goal'])
    expect(typesOf(first.events)).toEqual([
      'run-start',
      'stage-start',
      'turn-end',
      'output-written',
      'stage-end',
      'gate',
      'run-end',
    ])
    expect(first.result).toMatchObject({ outcome: 'gate', stages: [{ stage: '01-scope' }] })
    expect(place.read('pipeline/01-scope/output/goals.md')).toBe('1. Goal\n')
    expect(first.events.find((event) => event.type === 'gate')).toMatchObject({
      next: { stage: '02-outline', turns: 1 },
    })

    const second = await run(place, [threeModules])
    expect(typesOf(second.events)[1]).toBe('stage-skip')
    expect(second.events.find((event) => event.type === 'gate')).toMatchObject({
      next: { stage: '03-draft', turns: 3 },
    })

    const third = await run(place, drafts)
    expect(third.result.outcome).toBe('finished')
    expect(place.read('pipeline/03-draft/output/draft.md')).toBe(`${drafts.join('\n\n')}\n`)
    expect((await run(place, [])).result).toMatchObject({ outcome: 'finished', stages: [] })
  })

  it('goes through with all, in one run whose journal holds every event but the text deltas', async () => {
    const place = testWorkspace()
    const { events, result } = await run(place, ['1. Goal', threeModules, ...drafts], { all: true })
    expect(result.stages.map((stage) => stage.stage)).toEqual(['01-scope', '02-outline', '03-draft'])
    const journal = await readJournal(stateFolder(place).journal(result.run ?? ''))
    expect(journal).toEqual(events.filter((event) => event.type !== 'agent' || event.event.type !== 'model'))
    expect(journal.filter((event) => event.type === 'output-written')).toHaveLength(3)
  })

  it('takes what a person has edited, and only the modules that are left', async () => {
    const place = testWorkspace()
    await run(place, ['1. Goal'])
    place.write('pipeline/01-scope/output/goals.md', '1. Edited goal')
    const outline = await run(place, [threeModules])
    expect(JSON.stringify(outline.model.requests[0]?.messages)).toContain('Edited goal')
    place.write(
      'pipeline/02-outline/output/outline.md',
      '## Module 1: Tea\n- pick\n\n## Module 3: Cups\n- wash\n',
    )
    const draft = await run(place, [drafts[0] ?? '', drafts[2] ?? ''])
    expect(draft.result.outcome).toBe('finished')
    expect(place.read('pipeline/03-draft/output/draft.md')).not.toContain('Milk')
  })

  it('runs a stage again whose output was deleted, and only that one; what depends on it is named as stale', async () => {
    const place = testWorkspace()
    await run(place, ['1. Goal', threeModules, ...drafts], { all: true })
    place.remove('pipeline/02-outline/output/outline.md')
    expect(await states(place)).toEqual(['done', 'pending', 'done'])
    const again = await run(place, ['## Module 1: Coffee\n- grind'])
    expect(again.result.stages.map((stage) => stage.stage)).toEqual(['02-outline'])
    expect(again.events.find((event) => event.type === 'gate')).toMatchObject({
      stale: [{ stage: '03-draft', reasons: ['pipeline/02-outline/output/outline.md changed'] }],
    })
  })

  it('refuses a stage that is done and names redo; an unknown one lists the stages', async () => {
    const place = testWorkspace()
    await run(place, ['1. Goal'])
    await expect(run(place, [], { stage: '1' })).rejects.toMatchObject({
      code: 'pipeline/stage-done',
      instead: expect.stringContaining('icm redo 01-scope'),
    })
    await expect(run(place, [], { stage: '9' })).rejects.toMatchObject({ code: 'context/unknown-stage' })
    expect(place.read('pipeline/01-scope/output/goals.md')).toBe('1. Goal\n')
  })
})
