import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkWorkspace } from './check/check-workspace.js'
import { loadStage } from './load-stage.js'
import { openWorkspace } from './open-workspace.js'
import type { StageContext } from './types.js'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'icm-cases-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

const contract = (inputs: string, outputs = '- x.md -> output/') =>
  `# S\n\n## Inputs\n${inputs}\n\n## Process\ngo\n\n## Outputs\n${outputs}\n`

const scoped = (path: string, scope: string) =>
  contract(`| File | Scope |\n|---|---|\n| \`${path}\` | ${scope} |`)

const texts = (context: StageContext) =>
  context.parts.filter((part) => part.layer > 2).map((part) => part.text)
const codes = (context: StageContext) => context.problems.map((problem) => problem.code)

describe('folders as they lie on the disk', () => {
  it('11: a plain path is looked for in the stage, the workspace, the repository; ../ may leave the workspace, not the root', async () => {
    write({
      'repo/.git/HEAD': 'x',
      'repo/_core/y.md': 'core',
      'repo/shared/z.md': 'shared',
      'secret.md': 'secret',
      'repo/a/w/output/o.md': 'of the workspace',
      'repo/a/w/_config/x.md': 'config',
      'repo/a/w/stages/01-a/output/o.md': 'of the stage',
      'repo/a/w/stages/01-a/CONTEXT.md': contract(
        '- `output/`\n- _config/x.md\n- /_core/y.md\n- ../../../../shared/z.md',
      ),
      'repo/a/w/stages/02-b/CONTEXT.md': contract('- ../../../../../secret.md'),
    })
    const workspace = await openWorkspace(join(root, 'repo/a/w'))
    const first = await loadStage(workspace, 1)
    expect(texts(first)).toEqual(['of the stage', 'config', 'core', 'shared'])
    expect(first.problems).toEqual([])
    expect(codes(await loadStage(workspace, 2))).toEqual(['context/escapes-root'])
  })

  it('12: one ../ too few, and a renamed stage folder, are missing with a suggestion; nothing is rewritten', async () => {
    write({
      'repo/.git/HEAD': 'x',
      'repo/shared/r.md': 'r',
      'repo/w/stages/02-new/CONTEXT.md': contract('none', '- a.md -> output/'),
      'repo/w/stages/02-new/output/a.md': 'a',
      'repo/w/stages/03-b/CONTEXT.md': contract('- ../../shared/r.md\n- ../02-old-name/output/a.md'),
    })
    const context = await loadStage(await openWorkspace(join(root, 'repo/w')), 3)
    expect(texts(context)).toEqual([])
    expect(context.problems.map(({ code, details }) => [code, details?.nearest])).toEqual([
      ['context/missing-input', '../../../shared/r.md'],
      ['context/missing-input', '../02-new/output/a.md'],
    ])
  })

  it('13: placeholders of two spellings are one artefact; another depth is none; braces are literal', async () => {
    write({
      'w/stages/01-a/CONTEXT.md': contract(
        'none',
        '- `output/<product-slug>-x.md`\n- `output/{00-In,01-Out}.md`',
      ),
      'w/stages/02-b/CONTEXT.md': contract('- ../01-a/output/[slug]-x.md'),
      'w/stages/03-c/CONTEXT.md': contract('- ../01-a/output/runs/[slug]-x.md'),
    })
    const workspace = await openWorkspace(join(root, 'w'))
    const check = await checkWorkspace(workspace)
    expect(check.stages[1]?.inputs[0]).toMatchObject({ status: 'pending', producer: '01-a' })
    expect(check.stages[2]?.inputs[0]).toMatchObject({
      status: 'missing',
      nearest: '../01-a/output/<product-slug>-x.md',
    })
    expect(check.problems.map((problem) => problem.code)).toContain('contract/brace-list')
    write({ 'w/stages/01-a/output/kettle-x.md': 'kettle', 'w/stages/01-a/output/In.md': 'x' })
    expect(texts(await loadStage(workspace, 2))).toEqual(['kettle'])
    expect(codes(await loadStage(workspace, 3))).toEqual(['context/missing-input'])
  })

  it('14: the most recent file of a folder, never a dotfile; the whole folder in name order', async () => {
    write({
      'w/01-a/output/.gitkeep': '',
      'w/01-a/output/b-old.md': 'old',
      'w/01-a/output/a-new.md': 'new',
      'w/02-b/CONTEXT.md': scoped('../01-a/output/', 'Most recent draft'),
      'w/03-c/CONTEXT.md': scoped('../01-a/output/', 'Full file'),
      'w/04-d/CONTEXT.md': scoped('../empty/', 'Most recent draft'),
      'w/empty/.gitkeep': '',
    })
    utimesSync(join(root, 'w/01-a/output/b-old.md'), 1000, 1000)
    utimesSync(join(root, 'w/01-a/output/a-new.md'), 2000, 2000)
    utimesSync(join(root, 'w/01-a/output/.gitkeep'), 3000, 3000)
    const workspace = await openWorkspace(join(root, 'w'))
    expect(texts(await loadStage(workspace, 2))).toEqual(['new'])
    expect(texts(await loadStage(workspace, 3))).toEqual(['new', 'old'])
    expect(codes(await loadStage(workspace, 4))).toEqual(['context/missing-input'])
  })

  it('15: a range ends with its last section; reversed or unknown names give the whole file with a warning', async () => {
    const reference = '## **A**\na\n\n```\n## C\n```\n\n### A1\na1\n\n## _B_\nb\n\n## C\nc'
    write({
      'w/r.md': reference,
      'w/01-a/CONTEXT.md': scoped('../r.md', '"A" through "B"'),
      'w/02-b/CONTEXT.md': scoped('../r.md', '"C" through "A"'),
      'w/03-c/CONTEXT.md': scoped('../r.md', '"A" through "Z"'),
      'w/04-d/CONTEXT.md': scoped('../r.md', 'lines 2-2'),
      'w/05-e/CONTEXT.md': scoped('../r.md', '"C" section'),
      'w/06-f/CONTEXT.md': scoped('../r.md', 'A1 and C'),
    })
    const workspace = await openWorkspace(join(root, 'w'))
    const load = async (stage: number) => {
      const context = await loadStage(workspace, stage)
      return [texts(context)[0], codes(context)]
    }
    expect(await load(1)).toEqual([reference.slice(0, reference.indexOf('\n\n## C\nc')), []])
    expect(await load(2)).toEqual([reference, ['context/scope-not-found']])
    expect(await load(3)).toEqual([reference, ['context/scope-not-found']])
    expect(await load(4)).toEqual(['a', []])
    expect(await load(5)).toEqual(['## C\nc', []])
    expect(await load(6)).toEqual(['### A1\na1\n\n## C\nc', []])
  })

  it('16: stages in order of number and letter; no stage without a number, none twice', async () => {
    const stage = contract('none')
    write({
      'w/CONTEXT.md': '# W\n',
      'w/stages/10-e/CONTEXT.md': stage,
      'w/stages/02-d/CONTEXT.md': stage,
      'w/stages/01b-b/CONTEXT.md': stage,
      'w/stages/01-a/CONTEXT.md': stage,
      'w/stages/01c-c/CONTEXT.md': stage,
      'w/stages/01-a/CONTEXT_LITE.md': stage,
      'w/templates/01-x/CONTEXT.md': stage,
      'w/brand-vault/CONTEXT.md': stage,
    })
    const workspace = await openWorkspace(join(root, 'w'))
    expect(workspace.stages.map((one) => one.name)).toEqual(['01-a', '01b-b', '01c-c', '02-d', '10-e'])
    expect(workspace.problems).toEqual([])
    write({ 'w/stages/02-x/CONTEXT.md': stage })
    expect((await openWorkspace(join(root, 'w'))).problems).toMatchObject([
      { code: 'context/same-number', severity: 'error' },
    ])
  })
})

describe('the same files', () => {
  it('give the same bytes, in whatever order the folders were filled', async () => {
    const files: Record<string, string> = {
      'w/CLAUDE.md': 'who',
      'w/01-a/output/b.md': 'b',
      'w/01-a/output/a.md': 'a',
      'w/01-a/output/Z.md': 'Z',
      'w/01-a/output/é.md': 'é',
      'w/02-b/CONTEXT.md': contract('- `../01-a/output/`\n- ../01-a/output/*.md\n- nowhere.md'),
    }
    const load = async (entries: [string, string][]) => {
      rmSync(join(root, 'w'), { recursive: true, force: true })
      for (const [path, text] of entries) write({ [path]: text })
      const { system, user, problems, dropped } = await loadStage(await openWorkspace(join(root, 'w')), 2)
      return JSON.stringify({ system, user, problems, dropped })
    }
    const entries = Object.entries(files)
    const first = await load(entries)
    expect(first).toContain('é')
    expect(await load([...entries].reverse())).toBe(first)
    expect(await load([...entries.slice(3), ...entries.slice(0, 3)])).toBe(first)
  })
})
