import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { drafts, run, states } from './__fixtures__/run-scripted.js'
import { testWorkspace, threeModules, typesOf } from './__fixtures__/test-workspace.js'
import { streamPipeline } from './run-pipeline.js'
import { readStatus } from './stage-status.js'
import { stateFolder } from './state-folder.js'

describe('for each', () => {
  const ready = {
    'pipeline/01-scope/output/goals.md': '1. Goal',
    'pipeline/02-outline/output/outline.md': threeModules,
  }

  it('has fresh messages an item, each with the same prefix, and gives every item its heading', async () => {
    const place = testWorkspace(ready)
    const { events, model } = await run(place, ['Just text about tea.', ...drafts.slice(1)])
    expect(typesOf(events).filter((type) => type.startsWith('item-'))).toEqual([
      'item-start 1',
      'item-end 1',
      'item-start 2',
      'item-end 2',
      'item-start 3',
      'item-end 3',
    ])
    expect(model.requests.map((request) => request.messages.length)).toEqual([2, 2, 2])
    expect(new Set(model.requests.map((request) => JSON.stringify(request.messages[0]))).size).toBe(1)
    expect(place.read('pipeline/03-draft/output/draft.md')).toMatch(
      /^## Module 1: Tea\n\nJust text about tea\./,
    )
  })

  it('ends an item where the model goes on with the next one, and says so', async () => {
    const place = testWorkspace(ready)
    const { events } = await run(place, [`${drafts[0]}\n\n## Module 2: Milk\n\n- pour`, ...drafts.slice(1)])
    expect(events.find((event) => event.type === 'item-cut')).toMatchObject({
      item: 1,
      wentOnWith: 'Module 2: Milk',
    })
    expect(place.read('pipeline/03-draft/output/draft.md')).toBe(`${drafts.join('\n\n')}\n`)
  })

  it('asks once more for an item that is a heading and nothing else; says its task again after a blank answer', async () => {
    const place = testWorkspace(ready)
    const answers = ['# The module to write now\n\n## Module 1: Tea', drafts[0], '', ...drafts.slice(1)]
    const { events, model } = await run(place, answers)
    expect(events.find((event) => event.type === 'output-repair')).toMatchObject({
      item: 1,
      reason: 'it is a heading and nothing else',
    })
    expect(model.requests[3]?.messages.at(-1)).toMatchObject({
      text: expect.stringMatching(/^Your last answer was empty.*## Module 2: Milk\n\n- pour\n\n./s),
    })
    expect(place.read('pipeline/03-draft/output/draft.md')).toBe(`${drafts.join('\n\n')}\n`)
  })

  it('has a token limit of its own for items, which is part of their keys', async () => {
    const place = testWorkspace(ready)
    const limits = { maxOutputTokens: 900, maxItemTokens: 200 }
    const { model } = await run(place, drafts, limits)
    expect(model.requests.map((request) => request.maxOutputTokens)).toEqual([200, 200, 200])
    place.remove('pipeline/03-draft/output/draft.md')
    expect((await run(place, [], limits)).model.requests).toEqual([])
    place.remove('pipeline/03-draft/output/draft.md')
    const longer = await run(place, drafts, { maxOutputTokens: 900 })
    expect(longer.model.requests.map((request) => request.maxOutputTokens)).toEqual([900, 900, 900])
  })

  it('after an abort in the second item goes on with that item', async () => {
    const place = testWorkspace(ready)
    const controller = new AbortController()
    const stop = () => {
      controller.abort(new Error('ctrl-c'))
      return 'half'
    }
    await expect(run(place, [drafts[0] ?? '', stop], { signal: controller.signal })).rejects.toThrow('ctrl-c')
    expect(await states(place)).toEqual(['done', 'done', 'partial'])
    expect(existsSync(join(place.root, 'pipeline/03-draft/output/draft.md'))).toBe(false)
    const { events } = await run(place, drafts.slice(1))
    expect(typesOf(events).filter((type) => type.startsWith('item-'))).toEqual([
      'item-reused 1',
      'item-start 2',
      'item-end 2',
      'item-start 3',
      'item-end 3',
    ])
    expect(place.read('pipeline/03-draft/output/draft.md')).toBe(`${drafts.join('\n\n')}\n`)
  })

  it('redo archives the output and re-drafts only the item that changed; fresh re-drafts all', async () => {
    const place = testWorkspace(ready)
    await run(place, drafts)
    place.write('pipeline/02-outline/output/outline.md', threeModules.replace('pour', 'pour slowly'))
    const redo = { stage: '03-draft', redo: 'reuse-items' } as const
    const { events } = await run(place, ['## Module 2: Milk\n\nSlowly.'], redo)
    const archived = events.find((event) => event.type === 'stage-archived')?.paths ?? []
    expect(archived).toHaveLength(1)
    expect(place.read(archived[0] ?? '')).toBe(`${drafts.join('\n\n')}\n`)
    expect((await readStatus(await place.open()))[2]?.staleReasons).toEqual([])
    await run(place, drafts, { ...redo, redo: 'fresh' })
    place.write('_config/voice.md', 'Long sentences.')
    await run(place, drafts, redo)
  })

  it('redo leaves everything where it is when the stage cannot start', async () => {
    const place = testWorkspace(ready)
    await run(place, drafts)
    place.remove('_config/voice.md')
    await expect(run(place, [], { stage: '03-draft', redo: 'fresh' })).rejects.toMatchObject({
      code: 'pipeline/stage-not-ready',
    })
    expect(place.read('pipeline/03-draft/output/draft.md')).toBe(`${drafts.join('\n\n')}\n`)
  })

  it('closes the stream of the model when the consumer leaves in the middle of an item', async () => {
    const place = testWorkspace(ready)
    let closed = false
    const endless = {
      id: 'endless',
      async *stream() {
        try {
          for (;;) yield { type: 'text-delta' as const, text: 'word ' }
        } finally {
          closed = true
        }
      },
    }
    for await (const event of streamPipeline({ workspace: await place.open(), model: endless })) {
      if (event.type === 'agent' && event.event.type === 'model') break
    }
    expect(closed).toBe(true)
    expect(existsSync(stateFolder(place).lock)).toBe(false)
  })

  it('names the sections of the source that are no items', async () => {
    const place = testWorkspace({
      ...ready,
      'pipeline/02-outline/output/outline.md': `## Notes\n- x\n\n${threeModules}`,
    })
    const { events } = await run(place, drafts)
    expect(events.find((event) => event.type === 'stage-start')).toMatchObject({
      warnings: ['"Notes" is no module and is left out'],
    })
  })

  it('carry shows each turn one line about the earlier items', async () => {
    const contract = `# Stage: 03-draft\n\n## For each\nmodule in ../02-outline/output/outline.md\n- carry: one-line summary\n\n## Process\nWrite.\n\n## Outputs\n- draft.md -> output/\n`
    const place = testWorkspace({ ...ready, 'pipeline/03-draft/CONTEXT.md': contract })
    const { model } = await run(place, drafts)
    const users = model.requests.map((request) => JSON.stringify(request.messages.at(-1)))
    expect(users[0]).not.toContain('Pick.')
    expect(users[2]).toContain('Module 1: Tea: Pick.')
    expect(users[2]).toContain('Module 2: Milk: Pour.')
    expect((await readStatus(await place.open()))[2]?.items).toEqual({ finished: 3, total: 3 })
  })

  it('refuses an outline without items before any model call', async () => {
    const place = testWorkspace({ ...ready, 'pipeline/02-outline/output/outline.md': 'no headings' })
    await expect(run(place, [])).rejects.toMatchObject({
      code: 'pipeline/stage-not-ready',
      message: expect.stringContaining('outline.md'),
    })
  })
})
