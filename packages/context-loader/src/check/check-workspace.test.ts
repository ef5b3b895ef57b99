import { describe, expect, it } from 'vitest'
import { memoryFiles } from '../memory-files.js'
import { openWorkspace } from '../open-workspace.js'
import type { LoadProblem, WorkspaceFiles } from '../types.js'
import { type CheckWorkspaceOptions, checkWorkspace, describeLoadProblem } from './check-workspace.js'

const contract = (inputs: string, outputs: string, more = '') =>
  `# S\n\n## Inputs\n${inputs}\n\n## Process\nDo it.\n\n${more}## Outputs\n${outputs}\n`

const right: Record<string, string> = {
  '/r/.git/HEAD': 'x',
  '/r/w/CLAUDE.md': '# Who\n',
  '/r/w/CONTEXT.md': '# Stages\n\n1. `01-a`: begins\n2. `02-b`: goes on\n3. `03-c`: ends\n',
  '/r/w/_config/voice.md': '# Voice\n\nPlain.\n',
  '/r/w/pipeline/01-a/input.md': 'An idea.\n',
  '/r/w/pipeline/01-a/CONTEXT.md': contract('- input.md', '- a.md -> output/'),
  '/r/w/pipeline/02-b/CONTEXT.md': contract(
    '- ../01-a/output/a.md\n- ../../_config/voice.md\n- references/use.md',
    '- b.md -> output/',
    '## Tools\nsearch: find\n\n',
  ),
  '/r/w/pipeline/02-b/references/use.md': 'Call `find` first.\n',
  '/r/w/pipeline/03-c/CONTEXT.md': contract(
    'none',
    '- c.md -> output/',
    '## For each\npart in ../02-b/output/b.md\n\n',
  ),
}

async function check(
  more: Record<string, string> = {},
  options: CheckWorkspaceOptions = {},
  files?: WorkspaceFiles,
) {
  const store = files ?? memoryFiles({ ...right, ...more })
  return checkWorkspace(await openWorkspace('/r/w', { files: store }), options)
}

const short = (problems: readonly LoadProblem[]) =>
  problems.map(({ path, line, column, severity, code }) => `${path}:${line}:${column} ${severity} ${code}`)

const in01 = (inputs: string, outputs = '- a.md -> output/', more = '') => ({
  '/r/w/pipeline/01-a/CONTEXT.md': contract(inputs, outputs, more),
})
const in02 = (inputs: string, outputs = '- b.md -> output/', more = '') => ({
  '/r/w/pipeline/02-b/CONTEXT.md': contract(inputs, outputs, more),
})

describe('checkWorkspace', () => {
  it('says nothing about a workspace that is right, before and after its run', async () => {
    const servers = { search: ['find', 'read'] }
    const before = await check({}, { servers, budget: 1000 })
    expect(before.problems).toEqual([])
    expect(before.stages.map((one) => one.inputs.map((input) => [input.status, input.producer]))).toEqual([
      [['found', undefined]],
      [
        ['pending', '01-a'],
        ['found', undefined],
        ['found', undefined],
      ],
      [],
    ])
    expect(before.stages.map((one) => one.outputs)).toEqual([
      ['pipeline/01-a/output/a.md'],
      ['pipeline/02-b/output/b.md'],
      ['pipeline/03-c/output/c.md'],
    ])
    const done = { '/r/w/pipeline/01-a/output/a.md': 'a', '/r/w/pipeline/02-b/output/b.md': '## Part 1\nx\n' }
    expect((await check(done, { servers })).problems).toEqual([])
  })

  it('is silent about what is meant so', async () => {
    const { problems } = await check({
      // Templates keep their placeholders; text that talks about placeholders has them in code.
      '/r/w/pipeline/01-a/references/brief-template.md': '# {{TITLE}}\n',
      '/r/w/templates/page.md': '# {{TITLE}}\n',
      '/r/w/_config/voice.md': 'Write `{{?PART}}...{{/PART}}` around a part.\n',
      ...in01(
        '- input.md\n- references/brief-template.md\n- ../../templates/page.md',
        '- a.md -> output/\n- `a.md` § Sources\n- a commit in the repository\n- ../../pieces/notes.md',
      ),
    })
    expect(short(problems)).toEqual([])
  })

  it('asks once for each name of an output that has no value', async () => {
    const outputs = '- [topic-slug]-<repo>.md -> output/\n- [slug].md -> output/\n- <repo>.md -> output/'
    const files = { ...in01('- brief.md (if exists)', `- a.md -> output/\n${outputs}`) }
    const { problems } = await check(files)
    expect(problems.filter(({ code }) => code === 'context/templated-output')).toMatchObject([
      { line: 11, severity: 'info', details: { placeholder: 'slug' } },
      { line: 11, severity: 'info', details: { placeholder: 'repo' } },
    ])
    const known = await check({ ...files, '/r/w/pipeline/01-a/brief.md': '# A kettle\n' })
    expect(known.problems.filter(({ code }) => code === 'context/templated-output')).toHaveLength(1)
    expect(known.stages[0]?.outputs[1]).toBe('pipeline/01-a/output/a-kettle-<repo>.md')
  })

  it.each<[string, Record<string, string>, CheckWorkspaceOptions, string[]]>([
    ['a missing input', in01('- inptu.md'), {}, ['pipeline/01-a/CONTEXT.md:4:3 error context/missing-input']],
    [
      'an input of a later stage',
      in01('- input.md\n- ../02-b/output/x.md', '- y.md -> output/'),
      {},
      [
        'pipeline/01-a/CONTEXT.md:5:3 error context/missing-input',
        'pipeline/01-a/CONTEXT.md:11:3 info context/unread-output',
        'pipeline/02-b/CONTEXT.md:4:3 error context/missing-input',
      ],
    ],
    [
      'an input that only a later stage writes',
      { ...in01('- ../03-c/output/c.md') },
      {},
      ['pipeline/01-a/CONTEXT.md:4:3 error context/cycle'],
    ],
    [
      'an input of a later stage without a way back',
      {
        ...in02('- ../03-c/output/c.md'),
        '/r/w/pipeline/03-c/CONTEXT.md': contract('none', '- c.md -> output/'),
      },
      {},
      [
        'pipeline/01-a/CONTEXT.md:10:3 info context/unread-output',
        'pipeline/02-b/CONTEXT.md:4:3 error context/later-input',
        'pipeline/02-b/CONTEXT.md:10:3 info context/unread-output',
      ],
    ],
    [
      'a file that is there although a later stage writes it',
      {
        ...in02('- ../01-a/output/a.md\n- /shared/log.md'),
        '/r/w/shared/log.md': 'old',
        '/r/w/pipeline/03-c/CONTEXT.md': contract('none', '- c.md -> output/\n- ../../shared/log.md'),
      },
      {},
      [
        'pipeline/02-b/CONTEXT.md:5:3 warning context/later-input',
        'pipeline/02-b/CONTEXT.md:11:3 info context/unread-output',
      ],
    ],
    [
      'an own output',
      in01('- input.md\n- output/a.md'),
      {},
      ['pipeline/01-a/CONTEXT.md:5:3 error context/own-output'],
    ],
    [
      'an output nobody reads',
      in01('- input.md', '- a.md -> output/\n- extra.md -> output/'),
      {},
      ['pipeline/01-a/CONTEXT.md:11:3 info context/unread-output'],
    ],
    [
      'one file written twice',
      in02('- ../01-a/output/a.md', '- b.md -> output/\n- ../01-a/output/a.md'),
      {},
      ['pipeline/02-b/CONTEXT.md:11:3 error context/same-output'],
    ],
    [
      'outputs that differ in case only',
      in02('- ../01-a/output/a.md', '- b.md -> output/\n- B.md -> output/'),
      {},
      [
        'pipeline/02-b/CONTEXT.md:11:3 warning context/case-clash',
        'pipeline/02-b/CONTEXT.md:11:3 info context/unread-output',
      ],
    ],
    [
      'placeholders',
      { '/r/w/_config/voice.md': '# Voice\n\nWe are {{BRAND}} and {{MOTTO}}.\nSet `{{BRAND}}`.\n' },
      {},
      ['_config/voice.md:3:8 warning context/placeholder-left'],
    ],
    [
      'an unknown server',
      in02('- ../01-a/output/a.md', '- b.md -> output/', '## Tools\nserach: find\n\n'),
      { servers: { search: ['find'] } },
      ['pipeline/02-b/CONTEXT.md:10:1 error context/unknown-server'],
    ],
    [
      'an unknown tool',
      in02('- ../01-a/output/a.md', '- b.md -> output/', '## Tools\nsearch: fnid\n\n'),
      { servers: { search: ['find'] } },
      ['pipeline/02-b/CONTEXT.md:10:1 error context/unknown-tool'],
    ],
    [
      'a missing script',
      in02('- ../01-a/output/a.md', '- b.md -> output/', '## Tools\nscripts: tidy.mjs\n\n'),
      {},
      ['pipeline/02-b/CONTEXT.md:10:1 error context/missing-script'],
    ],
    [
      'a reference to a tool that the stage does not have',
      { '/r/w/pipeline/02-b/references/use.md': 'First `find`,\nthen `read`.\n' },
      { servers: { search: ['find', 'read'] } },
      ['pipeline/02-b/references/use.md:2:6 warning context/tool-not-allowed'],
    ],
    [
      'a long contract',
      in01(`- input.md\n${'\n'.repeat(80)}`),
      {},
      ['pipeline/01-a/CONTEXT.md:81:1 info context/long-contract'],
    ],
    [
      'a stage over budget',
      { '/r/w/pipeline/01-a/input.md': 'word '.repeat(500) },
      { budget: 100 },
      ['pipeline/01-a/CONTEXT.md:1:1 error context/over-budget'],
    ],
    [
      'an item over budget',
      { '/r/w/pipeline/02-b/output/b.md': `## Part 1\n${'word '.repeat(500)}\n` },
      { budget: 100 },
      ['pipeline/03-c/CONTEXT.md:10:1 error context/over-budget'],
    ],
    [
      'a For each without items',
      { '/r/w/pipeline/02-b/output/b.md': 'no headings\n' },
      {},
      ['pipeline/03-c/CONTEXT.md:10:1 error context/no-items'],
    ],
    [
      'an escape',
      in01('- input.md\n- ../../../../secret.md'),
      {},
      ['pipeline/01-a/CONTEXT.md:5:3 error context/escapes-root'],
    ],
    [
      'an output outside',
      in01('- input.md', '- a.md -> output/\n- ../../../x.md'),
      {},
      ['pipeline/01-a/CONTEXT.md:11:3 error context/output-outside-workspace'],
    ],
    [
      'stages that CONTEXT.md does not list, lists twice under old names, or in another order',
      { '/r/w/CONTEXT.md': '# Stages\n\n- `02-b`\n- `01-a`\n- `03-old`\n' },
      {},
      [
        'CONTEXT.md:1:1 warning context/stage-not-listed',
        'CONTEXT.md:4:4 warning context/stage-order',
        'CONTEXT.md:5:4 warning context/listed-stage-missing',
      ],
    ],
    ['a CONTEXT.md without stages', { '/r/w/CONTEXT.md': 'See 2026-roadmap and 01-x.md.\n' }, {}, []],
    [
      'an empty input',
      { '/r/w/pipeline/01-a/input.md': ' \n' },
      {},
      ['pipeline/01-a/CONTEXT.md:4:3 error context/empty-input'],
    ],
    [
      'an input that is no text',
      { '/r/w/pipeline/01-a/input.md': 'a\0b' },
      {},
      ['pipeline/01-a/CONTEXT.md:4:3 error context/not-text'],
    ],
  ])('finds %s', async (_, more, options, expected) => {
    const { problems } = await check(more, options)
    expect(short(problems)).toEqual(expected)
    for (const { what, why, instead } of problems) {
      for (const text of [what, why, instead]) expect(text).toMatch(/[.?]$/)
    }
  })

  it('finds inputs that only a disk without case finds', async () => {
    const sensitive = memoryFiles({ ...right, ...in01('- Input.md') })
    const lower = (path: string) => path.replace('/Input.md', '/input.md')
    const files: WorkspaceFiles = {
      ...sensitive,
      kindOf: (path) => sensitive.kindOf(lower(path)),
      readText: (path) => sensitive.readText(lower(path)),
      readBytes: (path) => sensitive.readBytes?.(lower(path)) ?? Promise.reject(new Error('no bytes')),
      stampOf: (path) => sensitive.stampOf?.(lower(path)) ?? Promise.resolve(undefined),
      realPath: (path) => sensitive.realPath(lower(path)),
    }
    const { problems } = await check({}, {}, files)
    expect(short(problems)).toEqual(['pipeline/01-a/CONTEXT.md:4:3 warning context/case-clash'])
    expect(problems[0]?.what).toBe('The input "Input.md" is spelt "pipeline/01-a/input.md" on the disk.')
    // On a disk with case the same input is missing, and the right spelling is named.
    const missing = await check(in01('- Input.md'))
    expect(missing.problems.map((problem) => problem.instead)).toEqual([
      'Did you mean "input.md"? Then change line 4 of pipeline/01-a/CONTEXT.md.',
    ])
  })

  it('names the fix, computed from what is there', async () => {
    const fixes = async (more: Record<string, string>, options: CheckWorkspaceOptions = {}) =>
      (await check(more, options)).problems.map((problem) => problem.instead)
    expect(await fixes(in01('- inptu.md'))).toEqual([
      'Did you mean "input.md"? Then change line 4 of pipeline/01-a/CONTEXT.md.',
    ])
    expect(await fixes(in01('- ../03-c/output/c.md'))).toEqual([
      'Take "../03-c/output/c.md" out of the inputs of 01-a, or mark it with "(if exists)".',
    ])
    const tools = in02('- ../01-a/output/a.md', '- b.md -> output/', '## Tools\nsearch: fnid\n\n')
    expect(await fixes(tools, { servers: { search: ['find'] } })).toEqual(['Did you mean "find"?'])
    expect(await fixes({ '/r/w/CONTEXT.md': '- 01-a\n- 02-b\n- 03-see\n- 03-c\n' })).toEqual([
      'Did you mean "03-c"?',
    ])
  })

  it('names the stages of a cycle in their order', async () => {
    const { problems } = await check({
      ...in01('- ../03-c/output/c.md'),
      ...in02('- ../01-a/output/a.md'),
      '/r/w/pipeline/03-c/CONTEXT.md': contract('- ../02-b/output/b.md', '- c.md -> output/'),
    })
    expect(problems.map((problem) => problem.what)).toEqual([
      'The stages wait for each other: 01-a needs 03-c needs 02-b needs 01-a.',
    ])
  })

  it('does not stop at a stage that cannot be read', async () => {
    const files = memoryFiles({ ...right, '/r/w/pipeline/02-b/CONTEXT.md': 'a\0' })
    const { problems, stages } = await check({}, {}, files)
    expect(stages).toHaveLength(3)
    expect(short(problems)).toContain('pipeline/02-b/CONTEXT.md:1:1 error context/not-text')
  })

  it('prints a problem in one line, and stops when asked to', async () => {
    const { problems } = await check(in01('- nowhere.md'))
    expect(problems.map(describeLoadProblem)).toEqual([
      'pipeline/01-a/CONTEXT.md:4:3 error context/missing-input The input "nowhere.md" of stage 01-a was not found. Looked for pipeline/01-a/nowhere.md, nowhere.md, ../nowhere.md. No stage names it as an output. Create pipeline/01-a/nowhere.md, or change line 4 of pipeline/01-a/CONTEXT.md.',
    ])
    const reason = new Error('enough')
    await expect(check({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})
