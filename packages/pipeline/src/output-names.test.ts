import { describe, expect, it } from 'vitest'
import { run, states } from './__fixtures__/run-scripted.js'
import { testWorkspace } from './__fixtures__/test-workspace.js'
import { readStatus } from './stage-status.js'

const scope = (...outputs: readonly string[]) => ({
  'pipeline/01-scope/CONTEXT.md': `# S\n\n## Inputs\n- Layer 4 (working): input.md\n\n## Process\nWrite.\n\n## Outputs\n${outputs.map((output) => `- ${output}`).join('\n')}\n`,
})

describe('names with placeholders', () => {
  it('are made of the input and the day the run began, and stay found when both have changed', async () => {
    const place = testWorkspace(scope('[slug]-YYYY-MM-DD.md -> output/'))
    await run(place, ['1. Goal'])
    const today = new Date().toISOString().slice(0, 10)
    const path = `pipeline/01-scope/output/an-idea-${today}.md`
    expect(place.read(path)).toBe('1. Goal\n')
    place.write('pipeline/01-scope/input.md', 'Another idea.')
    const [status] = await readStatus(await place.open())
    expect(status).toMatchObject({ state: 'done', outputs: [{ path }], foreignFiles: [] })
    expect(status?.staleReasons).toEqual(['pipeline/01-scope/input.md changed'])
  })

  it('a redo archives what was written and names anew', async () => {
    const place = testWorkspace(scope('[topic-slug].md -> output/'))
    await run(place, ['1. Goal'])
    place.write('pipeline/01-scope/input.md', '# Kettles')
    const { events } = await run(place, ['2. Goal'], { stage: '01-scope', redo: 'reuse-items' })
    expect(place.read('pipeline/01-scope/output/kettles.md')).toBe('2. Goal\n')
    const archived = events.find((event) => event.type === 'stage-archived')?.paths ?? []
    expect(archived.map((path) => path.split('/').at(-1))).toEqual(['an-idea.md'])
    expect((await states(place))[0]).toBe('done')
  })

  it('of several files of the pattern the one counts that the stage wrote', async () => {
    const place = testWorkspace(scope('[slug].md -> output/'))
    await run(place, ['1. Goal'])
    place.write('pipeline/01-scope/output/someone-elses.md', 'x')
    const [status] = await readStatus(await place.open())
    expect(status).toMatchObject({
      state: 'done',
      outputs: [{ path: 'pipeline/01-scope/output/an-idea.md' }],
      foreignFiles: ['pipeline/01-scope/output/someone-elses.md'],
    })
  })

  it('take other values from the workspace, and without one stop the stage with the line to add', async () => {
    const place = testWorkspace(scope('<repo>/[slug]-brief.md -> output/'))
    await expect(run(place, [])).rejects.toMatchObject({
      code: 'pipeline/stage-not-ready',
      instead: expect.stringContaining('repo = "..." under [placeholders] in icm.config.toml'),
    })
    const workspace = { ...(await place.open()), placeholders: { repo: 'tea' } }
    await run(place, ['1. Goal'], { workspace })
    expect(place.read('pipeline/01-scope/output/tea/an-idea-brief.md')).toBe('1. Goal\n')
  })
})
