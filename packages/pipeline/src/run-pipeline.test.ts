import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { ChatModelError } from '@icm/chat-model'
import { type ScriptedStep, scripted } from '@icm/chat-model/testing'
import { describe, expect, it } from 'vitest'
import { type TestWorkspace, testWorkspace, threeModules, typesOf } from './__fixtures__/test-workspace.js'
import { readJournal } from './journal.js'
import { runPipeline, streamPipeline } from './run-pipeline.js'
import { readStatus } from './stage-status.js'
import { stateFolder } from './state-folder.js'
import type { PipelineEvent, PipelineOptions } from './types.js'

async function run(
  place: TestWorkspace,
  steps: readonly ScriptedStep[],
  options: Partial<PipelineOptions> = {},
) {
  const events: PipelineEvent[] = []
  const model = scripted(steps, { contextWindow: 8192 })
  const result = await runPipeline({
    workspace: await place.open(),
    model,
    ...options,
    onEvent: (event) => {
      events.push(event)
    },
  })
  model.assertDone()
  return { events, result, model }
}

async function states(place: TestWorkspace) {
  return (await readStatus(await place.open())).map((status) => status.state)
}

const drafts = ['## Module 1: Tea\n\nPick.', '## Module 2: Milk\n\nPour.', '## Module 3: Cups\n\nWash.']

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

describe('outputs', () => {
  it('unwraps a fence, asks once more after an apology, and fails with the text kept when it stays one', async () => {
    const place = testWorkspace()
    await run(place, ["I'm sorry, I can't.", '```markdown\n1. Goal\n```'])
    expect(place.read('pipeline/01-scope/output/goals.md')).toBe('1. Goal\n')
    const error: unknown = await run(place, ['As an AI, no.', 'As an AI, still no.']).catch(
      (caught: unknown) => caught,
    )
    expect(error).toMatchObject({ code: 'pipeline/no-output' })
    const { keptAt } = (error as { details: { keptAt: string } }).details
    expect(place.read(keptAt)).toBe('As an AI, still no.\n')
    expect(await states(place)).toEqual(['done', 'pending', 'pending'])
  })

  it('asks once more for an outline that the next stage could not use, and keeps it when it stays so', async () => {
    const ready = { 'pipeline/01-scope/output/goals.md': '1. Goal' }
    const place = testWorkspace(ready)
    const { events, model } = await run(place, ['# Module 1: Tea', threeModules])
    expect(events.find((event) => event.type === 'output-repair')).toMatchObject({
      reason: expect.stringContaining('## Module 1: <title>'),
    })
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ text: expect.stringContaining('03-draft') })
    expect(place.read('pipeline/02-outline/output/outline.md')).toBe(`${threeModules}\n`)
    const stubborn = testWorkspace(ready)
    const second = await run(stubborn, ['# Module 1: Tea', '# Module 1: Tea again'])
    expect(stubborn.read('pipeline/02-outline/output/outline.md')).toBe('# Module 1: Tea\n')
    expect(second.events.find((event) => event.type === 'gate')).toMatchObject({
      next: { problem: expect.stringContaining('outline.md') },
    })
  })

  it('a name with a placeholder, and a place outside the workspace, stop the stage', async () => {
    for (const path of ['[slug]-goals.md', '../../../goals.md']) {
      const contract = `# Stage: 01-scope\n\n## Process\nWrite.\n\n## Outputs\n- ${path}\n`
      const place = testWorkspace({ 'pipeline/01-scope/CONTEXT.md': contract })
      await expect(run(place, [])).rejects.toMatchObject({
        code: 'pipeline/stage-not-ready',
        message: expect.stringContaining(path),
      })
    }
  })

  it('never overwrites a file that appeared while the stage ran', async () => {
    const place = testWorkspace()
    const meanwhile = () => {
      place.write('pipeline/01-scope/output/goals.md', 'written by a person')
      return '1. Goal'
    }
    await expect(run(place, [meanwhile])).rejects.toMatchObject({ code: 'pipeline/output-appeared' })
    expect(place.read('pipeline/01-scope/output/goals.md')).toBe('written by a person')
  })

  it('writes several outputs in contract order, one turn each, and goes on with those that are missing', async () => {
    const contract =
      '# Stage: 01-scope\n\n## Process\nWrite.\n\n## Outputs\n- a.md -> output/\n- b.md -> output/\n'
    const place = testWorkspace({ 'pipeline/01-scope/CONTEXT.md': contract })
    const { model } = await run(place, ['text a', 'text b'])
    expect(place.read('pipeline/01-scope/output/b.md')).toBe('text b\n')
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'user',
      text: expect.stringContaining('b.md'),
    })
    place.remove('pipeline/01-scope/output/b.md')
    expect((await states(place))[0]).toBe('partial')
    await run(place, ['text b again'])
    expect(place.read('pipeline/01-scope/output/a.md')).toBe('text a\n')
  })

  it('a contract that names none writes one file; foreign files beside named ones are reported', async () => {
    const place = testWorkspace({
      'pipeline/01-scope/CONTEXT.md': '# Stage: 01-scope\n\n## Process\nWrite.\n',
    })
    await run(place, ['text'])
    expect(place.read('pipeline/01-scope/output/scope.md')).toBe('text\n')
    place.write('pipeline/02-outline/output/stray.md', 'x')
    place.write('pipeline/02-outline/output/.gitkeep', '')
    const [, outline] = await readStatus(await place.open())
    expect(outline).toMatchObject({ state: 'pending', foreignFiles: ['pipeline/02-outline/output/stray.md'] })
  })

  it('keeps the first text when the second request for a better one fails', async () => {
    const place = testWorkspace({ 'pipeline/01-scope/output/goals.md': '1. Goal' })
    const down = new ChatModelError({ code: 'chat/unreachable', what: 'Gone.', why: '', instead: '' })
    await run(place, ['# Module 1: Tea', down])
    expect(place.read('pipeline/02-outline/output/outline.md')).toBe('# Module 1: Tea\n')
  })

  it('does not take an address as shown because a failed call quoted it', async () => {
    const contract =
      '# Stage: 01-scope\n\n## Tools\nweb: fetch\n\n## Process\nWrite.\n\n## Outputs\n- goals.md -> output/\n'
    const place = testWorkspace({ 'pipeline/01-scope/CONTEXT.md': contract })
    const fetch = { name: 'fetch', description: 'Fetches.', inputSchema: { type: 'object' } }
    const openTools = async () => ({
      specs: () => [fetch],
      run: async () => ({
        status: 'error' as const,
        text: 'https://made-up.test was not read.',
        callKey: 'k',
      }),
    })
    const call = {
      role: 'assistant' as const,
      text: '',
      toolCalls: [{ id: '1', name: 'fetch', arguments: {} }],
    }
    const { result } = await run(place, [call, 'See https://made-up.test'], { openTools })
    expect(result.stages[0]?.claims).toMatchObject([{ text: 'https://made-up.test' }])
  })

  it('names what was cut off by a token limit', async () => {
    const place = testWorkspace()
    const model = scripted(['1. Half a go'], { reason: 'length' })
    const result = await runPipeline({ workspace: await place.open(), model })
    expect(result.stages[0]?.truncated).toEqual(['goals.md'])
  })

  it('opens no model and begins no run when there is nothing to do', async () => {
    const place = testWorkspace()
    await run(place, ['1. Goal', threeModules, ...drafts], { all: true })
    const before = readdirSync(join(place.root, '.icm', 'runs'))
    const model = () => Promise.reject(new Error('opened'))
    const result = await runPipeline({ workspace: await place.open(), model })
    expect(result).toEqual({ outcome: 'finished', stages: [] })
    expect(readdirSync(join(place.root, '.icm', 'runs'))).toEqual(before)
  })

  it('lists claims that no input has', async () => {
    const place = testWorkspace()
    const { result } = await run(place, ['See https://made-up.test/page.'])
    expect(result.stages[0]?.claims).toEqual([{ kind: 'url', text: 'https://made-up.test/page', line: 1 }])
  })
})

describe('what stands in the way', () => {
  it('a missing input: which, where it was looked for, who should make it', async () => {
    const place = testWorkspace()
    const failure = run(place, [], { stage: '02-outline' })
    await expect(failure).rejects.toMatchObject({
      code: 'pipeline/stage-not-ready',
      message: expect.stringMatching(/goals\.md.*01-scope/s),
    })
  })

  it('a context larger than the window: what it needs and what is largest', async () => {
    const place = testWorkspace({ 'pipeline/01-scope/input.md': 'many words '.repeat(6_000) })
    await expect(run(place, [])).rejects.toMatchObject({
      code: 'pipeline/context-too-large',
      instead: expect.stringContaining('input.md'),
    })
  })

  it('tools that nobody provided are not dropped', async () => {
    const place = testWorkspace({
      'pipeline/01-scope/CONTEXT.md':
        '# Stage: 01-scope\n\n## Tools\nweb: search\n\n## Process\nWrite.\n\n## Outputs\n- goals.md -> output/\n',
    })
    await expect(run(place, [])).rejects.toMatchObject({ code: 'pipeline/no-tools-available' })
  })

  it('a second run beside the first is refused; the lock of a dead one is taken over and said', async () => {
    const place = testWorkspace()
    const second = async () => {
      await expect(run(place, [])).rejects.toMatchObject({
        code: 'lock/held',
        message: expect.stringContaining(String(process.pid)),
      })
      return '1. Goal'
    }
    await run(place, [second])
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    writeFileSync(
      stateFolder(place).lock,
      JSON.stringify({ pid, host: hostname(), since: 'x', purpose: 'icm run' }),
    )
    const { events } = await run(place, [threeModules])
    expect(events.find((event) => event.type === 'lock-taken-over')).toMatchObject({ pid })
    expect(existsSync(stateFolder(place).lock)).toBe(false)
  })

  it('a history of a newer version is refused and not touched; a broken record is no fresh start', async () => {
    const place = testWorkspace()
    place.write('.icm/version', '99\n')
    await expect(run(place, [])).rejects.toMatchObject({ code: 'pipeline/newer-state' })
    expect(readdirSync(join(place.root, '.icm'))).toEqual(['version'])
    place.write('.icm/version', '1\n')
    place.write('.icm/run.json', '{"id": "2026')
    await expect(run(place, [])).rejects.toMatchObject({ code: 'pipeline/corrupt-state' })
    expect(place.read('.icm/run.json')).toBe('{"id": "2026')
  })

  it('a journal that a crash cut is read up to its last whole line, and goes on', async () => {
    const place = testWorkspace()
    const { result } = await run(place, ['1. Goal'])
    const path = stateFolder(place).journal(result.run ?? '')
    const relative = path.slice(place.root.length + 1)
    const whole = await readJournal(path)
    place.write(relative, `${place.read(relative)}{"v":1,"type":"stage-sta`)
    const second = await run(place, [threeModules])
    expect(await readJournal(path)).toHaveLength(
      whole.length +
        second.events.filter((event) => event.type !== 'agent' || event.event.type !== 'model').length,
    )
  })
})
