import { describe, expect, it } from 'vitest'
import { memoryFiles } from './memory-files.js'
import { openWorkspace } from './open-workspace.js'
import { fillPlaceholders, placeholderValues } from './placeholders.js'
import { readContract } from './read-contract.js'
import { resolveOutputs } from './resolve-outputs.js'

describe('fillPlaceholders', () => {
  const values = { slug: 'kettles', date: '2026-12-01', repo: 'a/b' }
  it.each([
    ['output/[slug]-x.md', 'output/kettles-x.md', []],
    ['output/<slug>/{slug}.md', 'output/kettles/kettles.md', []],
    ['output/[topic-slug]-{{TOPIC_SLUG}}.md', 'output/kettles-kettles.md', []],
    ['output/report-YYYY-MM-DD-{slug}.md', 'output/report-2026-12-01-kettles.md', []],
    ['output/[Date] [run date].md', 'output/2026-12-01 2026-12-01.md', []],
    ['output/<repo>.md', 'output/a-b.md', []],
    ['output/[N]-<Name of it>.md', 'output/[N]-<Name of it>.md', ['n', 'name-of-it']],
    ['output/plain.md', 'output/plain.md', []],
  ])('%s', (path, filled, missing) => {
    expect(fillPlaceholders(path, values)).toEqual({ path: filled, missing })
  })

  it('a value of its own wins over the general one', () => {
    const own = { slug: 'a', 'course-slug': 'b', N: '2' }
    expect(fillPlaceholders('[slug]/[course_slug]/r[N].md', own).path).toBe('a/b/r2.md')
  })
})

const first = (inputs: string, outputs = '- [slug]-x.md -> output/') =>
  `# S\n\n## Inputs\n${inputs}\n\n## Process\ngo\n\n## Outputs\n${outputs}\n`

const open = (files: Record<string, string>) => openWorkspace('/w', { files: memoryFiles(files) })

describe('placeholderValues', () => {
  const date = new Date('2026-12-01T23:30:00Z')
  it.each([
    ['the first heading', 'A note.\n\n## Über Kettles & Tea!\n', 'uber-kettles-tea'],
    ['the first line without one', '\n\nA course about kettles.\n', 'a-course-about-kettles'],
    ['other scripts', '# 주전자 강의 1\n', '주전자-강의-1'],
    [
      'at most sixty characters',
      `# ${'kettle '.repeat(20)}`,
      'kettle-kettle-kettle-kettle-kettle-kettle-kettle-kettle',
    ],
    ['nothing but marks', '# !!!\n', undefined],
    ['an empty file', ' \n', undefined],
  ])('the slug is made of %s', async (_, text, slug) => {
    const workspace = await open({ '/w/01-a/CONTEXT.md': first('- input.md'), '/w/01-a/input.md': text })
    expect(await placeholderValues(workspace, { date })).toEqual({
      date: '2026-12-01',
      ...(slug === undefined ? {} : { slug }),
    })
  })

  it('rules, and what a stage writes, are no input of the run', async () => {
    const workspace = await open({
      '/w/01-a/CONTEXT.md': first(
        '- ../voice.md\n- references/rules.md\n- ../02-b/output/b.md (if exists)\n- brief.md',
      ),
      '/w/02-b/CONTEXT.md': first('none', '- b.md -> output/'),
      '/w/voice.md': '# Voice',
      '/w/01-a/references/rules.md': '# Rules',
      '/w/02-b/output/b.md': '# Old',
      '/w/01-a/brief.md': '# Brief',
    })
    expect((await placeholderValues(workspace)).slug).toBe('brief')
  })

  it('what the workspace says wins', async () => {
    const workspace = await open({ '/w/01-a/CONTEXT.md': first('- input.md'), '/w/01-a/input.md': 'x' })
    const said = { ...workspace, placeholders: { slug: 'mine' } }
    expect((await placeholderValues(said)).slug).toBe('mine')
    const { stage, contract } = await readContract(said, 1)
    const { outputs, problems } = await resolveOutputs(said, stage, contract)
    expect(outputs).toMatchObject([{ path: '/w/01-a/output/mine-x.md', templated: true }])
    expect(problems).toEqual([])
  })
})
