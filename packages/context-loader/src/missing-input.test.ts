import { describe, expect, it } from 'vitest'
import { loadStage } from './load-stage.js'
import { memoryFiles } from './memory-files.js'
import { openWorkspace } from './open-workspace.js'

const contract = (inputs: string, outputs: string) =>
  `# S\n\n## Inputs\n${inputs}\n\n## Process\ngo\n\n## Outputs\n${outputs}\n`
const base: Record<string, string> = {
  '/repo/.git/HEAD': 'x',
  '/repo/shared/r.md': 'r',
  '/repo/w/_config/audience.md': 'a',
  '/repo/w/pipeline/01-new/CONTEXT.md': contract('none', '- a.md -> output/\n- [slug]-notes.md -> output/'),
  '/repo/w/pipeline/01-new/output/.gitkeep': '',
  '/repo/w/pipeline/03-last/CONTEXT.md': contract('none', '- z.md -> output/\n- site/ -> output/'),
}

async function problemOf(input: string, more: Record<string, string> = {}) {
  const files = memoryFiles({
    ...base,
    '/repo/w/pipeline/02-b/CONTEXT.md': contract(`- ${input}`, '- b.md'),
    ...more,
  })
  const { problems } = await loadStage(await openWorkspace('/repo/w', { files }), '02-b')
  expect(problems).toHaveLength(1)
  return problems[0]
}

describe('a missing input', () => {
  it('names the path, where it was looked for, and the stage that writes it', async () => {
    expect(await problemOf('../01-new/output/a.md')).toEqual({
      code: 'context/missing-input',
      severity: 'error',
      what: 'The input "../01-new/output/a.md" of stage 02-b was not found.',
      why: 'Looked for pipeline/01-new/output/a.md. Stage 01-new writes it and has not done so yet.',
      instead: 'Run stage 01-new first.',
      details: {
        path: '../01-new/output/a.md',
        lookedIn: ['pipeline/01-new/output/a.md'],
        producer: '01-new',
      },
      path: 'pipeline/02-b/CONTEXT.md',
      line: 4,
      column: 3,
    })
  })

  it('knows a templated output, and an output folder', async () => {
    expect((await problemOf('../01-new/output/<product-slug>-notes.md'))?.details).toMatchObject({
      producer: '01-new',
    })
    expect((await problemOf('../03-last/output/site/index.html'))?.details).toMatchObject({
      producer: '03-last',
    })
    expect((await problemOf('../01-new/output/'))?.details).toMatchObject({ producer: '01-new' })
  })

  it.each([
    ['the separators of Windows', '..\\..\\_config\\audience.md', '../../_config/audience.md'],
    ['a path from the folder of the stages', '01-new/output/a.md', '../01-new/output/a.md'],
    ['the bare name of an earlier output', '`a.md`', '../01-new/output/a.md'],
  ])('suggests the path for %s', async (_, written, nearest) => {
    expect((await problemOf(written))?.details).toMatchObject({ nearest })
  })

  it('says when the stage that writes it runs later', async () => {
    const problem = await problemOf('../03-last/output/z.md')
    expect(problem?.why).toContain('Stage 03-last writes it, but runs later.')
    expect(problem?.instead).toBe(
      'Give stage 03-last a number below that of 02-b, or change line 4 of pipeline/02-b/CONTEXT.md.',
    )
  })

  it('names a similar file that is there, also beside the stage that writes it', async () => {
    const problem = await problemOf('../01-new/output/a.md', { '/repo/w/pipeline/01-new/output/A1.md': 'x' })
    expect(problem?.details).toMatchObject({ producer: '01-new', nearest: '../01-new/output/A1.md' })
    expect(problem?.instead).toBe('Run stage 01-new first, or name "../01-new/output/A1.md", which is there.')
  })

  it.each([
    ['../../../../../shared/r.md', 'context/escapes-root', undefined],
    ['../../shared/r.md', 'context/missing-input', '../../../shared/r.md'],
    ['../../../_config/audience.md', 'context/missing-input', '../../_config/audience.md'],
    ['../01-old/output/a.md', 'context/missing-input', '../01-new/output/a.md'],
    ['../../_config/audiense.md', 'context/missing-input', '../../_config/audience.md'],
    ['../01-new/output/b.md', 'context/missing-input', '../01-new/output/a.md'],
    ['audience.md', 'context/missing-input', '../../_config/audience.md'],
    ['nothing-like-it.md', 'context/missing-input', undefined],
  ])('%s is %s, nearest %s', async (input, code, nearest) => {
    const problem = await problemOf(input)
    expect(problem?.code).toBe(code)
    expect(problem?.details?.nearest).toBe(nearest)
    if (nearest)
      expect(problem?.instead).toBe(
        `Did you mean "${nearest}"? Then change line 4 of pipeline/02-b/CONTEXT.md.`,
      )
  })

  it('lists every place of a plain path', async () => {
    const problem = await problemOf('nothing-like-it.md')
    expect(problem?.why).toBe(
      'Looked for pipeline/02-b/nothing-like-it.md, nothing-like-it.md, ../nothing-like-it.md. No stage names it as an output.',
    )
    expect(problem?.instead).toBe(
      'Create pipeline/02-b/nothing-like-it.md, or change line 4 of pipeline/02-b/CONTEXT.md.',
    )
  })

  it('is also an empty folder, and never a wrong placeholder count', async () => {
    const empty = await problemOf('`../00-feed/output/`', { '/repo/w/pipeline/00-feed/output/.gitkeep': '' })
    expect(empty?.why).toContain('Looked for pipeline/00-feed/output/ (empty).')
    expect((await problemOf('../01-new/output/x/[slug]-notes.md'))?.details?.producer).toBeUndefined()
  })

  it('names a templated output that lies at another depth', async () => {
    const problem = await problemOf('../../content/{module}/guide.md', {
      '/repo/w/pipeline/01-new/CONTEXT.md': contract('none', '- `../../content/{level}/{module}/guide.md`'),
    })
    expect(problem?.details?.nearest).toBe('../../content/{level}/{module}/guide.md')
  })

  it('tells apart several matches of a placeholder', async () => {
    const problem = await problemOf('../01-new/output/[slug]-notes.md', {
      '/repo/w/pipeline/01-new/output/x-notes.md': 'x',
      '/repo/w/pipeline/01-new/output/y-notes.md': 'y',
    })
    expect(problem).toMatchObject({
      code: 'context/ambiguous-input',
      severity: 'error',
      details: { matches: ['pipeline/01-new/output/x-notes.md', 'pipeline/01-new/output/y-notes.md'] },
    })
  })
})
