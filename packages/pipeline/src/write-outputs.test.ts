import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ChatModelError } from '@icm/chat-model'
import { scripted } from '@icm/chat-model/testing'
import { describe, expect, it } from 'vitest'
import { drafts, run, states } from './__fixtures__/run-scripted.js'
import { testWorkspace, threeModules } from './__fixtures__/test-workspace.js'
import { runPipeline } from './run-pipeline.js'
import { readStatus } from './stage-status.js'

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

  it('says the task again after a blank answer', async () => {
    const { model } = await run(testWorkspace(), ['', '', '1. Goal'])
    expect(model.requests.map((request) => request.messages.at(-1))).toMatchObject([
      {},
      { text: expect.stringMatching(/^Your last answer was empty.*goals\.md now.*Write goals\./s) },
      { text: expect.stringMatching(/^Stop using tools.*goals\.md now.*Write goals\./s) },
    ])
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

  it('a name with a placeholder that has no value, and a place outside the workspace, stop the stage', async () => {
    for (const path of ['[repo]-goals.md', '../../../goals.md']) {
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
    expect(result).toEqual({ outcome: 'finished', stages: [], stale: [] })
    expect(readdirSync(join(place.root, '.icm', 'runs'))).toEqual(before)
  })

  it('lists claims that no input has', async () => {
    const place = testWorkspace()
    const { result } = await run(place, ['See https://made-up.test/page.'])
    expect(result.stages[0]?.claims).toEqual([{ kind: 'url', text: 'https://made-up.test/page', line: 1 }])
  })
})
