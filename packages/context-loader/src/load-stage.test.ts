import { describe, expect, it } from 'vitest'
import { sha256 } from './hash.js'
import { loadStage } from './load-stage.js'
import { memoryFiles } from './memory-files.js'
import { openWorkspace } from './open-workspace.js'
import { renderContext, renderItem } from './render-context.js'
import type { ForEachItem } from './types.js'

const base: Record<string, string> = {
  '/repo/.git/HEAD': 'x',
  '/repo/w/CLAUDE.md': '\uFEFF# Who\r\n\r\nYou are here.\r\n',
  '/repo/w/CONTEXT.md': '# Stages\n',
  '/repo/w/_config/voice.md': '# Voice\n\nPlain.\n\n## Words\n\nFew.\n',
  '/repo/w/pipeline/01-a/CONTEXT.md':
    '# S\n\n## Inputs\n- Layer 4 (working): input.md\n\n## Process\nDo a.\n\n## Outputs\n- a.md -> output/\n',
  '/repo/w/pipeline/01-a/input.md': 'idea\n',
  '/repo/w/pipeline/01-a/output/a.md': '# A\n\nfacts\n',
}

const second = (inputs: string, more = '') => ({
  '/repo/w/pipeline/02-b/CONTEXT.md': `# S\n\n## Inputs\n${inputs}\n\n${more}## Process\nDo b.\n\n## Outputs\n- b.md -> output/\n`,
})

async function load(
  record: Record<string, string>,
  stage: string | number = 2,
  countTokens?: (text: string) => number,
) {
  const workspace = await openWorkspace('/repo/w', { files: memoryFiles({ ...base, ...record }) })
  return loadStage(workspace, stage, countTokens ? { countTokens } : {})
}

describe('the template', () => {
  it('puts layers 0, 1 and 3 into the system text, process and layer 4 into the user text', async () => {
    const context = await load(
      second(
        '- Layer 4 (working): ../01-a/output/a.md\n- Layer 3 (reference): ../../_config/voice.md\n- Layer 4 (working): ../01-a/input.md',
      ),
    )
    expect(context.system).toBe(
      '# Who\n\nYou are here.\n\n# Stages\n\n# Reference material (follow these as constraints)\n\n## ../../_config/voice.md\n\n# Voice\n\nPlain.\n\n## Words\n\nFew.',
    )
    expect(context.user).toBe(
      'Do b.\n\n## ../01-a/output/a.md\n\n# A\n\nfacts\n\n## ../01-a/input.md\n\nidea',
    )
    expect(context.problems).toEqual([])
    expect(renderContext(context)).toBe(
      `${context.system}\n\n========== user ==========\n\n${context.user}\n`,
    )
  })

  it('leaves out empty pieces, and the reference heading without references', async () => {
    const context = await load({
      ...second('- `x.md` (optional)\n- `y.md`'),
      '/repo/w/pipeline/02-b/x.md': ' \n',
      '/repo/w/pipeline/02-b/y.md': 'y',
    })
    expect(context.system).toBe('# Who\n\nYou are here.\n\n# Stages')
    expect(context.user).toBe('Do b.\n\n## y.md\n\ny')
    expect(context.dropped).toEqual([{ label: 'x.md', reason: 'empty' }])
  })

  it('states a scope in one line, and loads only that part', async () => {
    const context = await load(
      second('| File | Scope |\n|---|---|\n| `../../_config/voice.md` | "Words" section |'),
    )
    expect(context.system).toContain('## ../../_config/voice.md\nScope: "Words" section\n\n## Words\n\nFew.')
    expect(context.system).not.toContain('Plain.')
  })

  it('is the same for the same files, whatever the line endings and the place on the disk', async () => {
    const record = second('- ../01-a/output/a.md')
    const one = await load(record)
    const moved = Object.fromEntries(
      Object.entries({ ...base, ...record }).map(([path, text]) => [
        `/elsewhere${path}`,
        text.replace(/\r?\n/g, '\r\n'),
      ]),
    )
    const workspace = await openWorkspace('/elsewhere/repo/w', { files: memoryFiles(moved) })
    expect(renderContext(await loadStage(workspace, '02-b'))).toBe(renderContext(one))
    expect(renderContext(one)).not.toContain('/repo/w')
  })

  it('counts with the counter that is given', async () => {
    const context = await load(second('- ../01-a/output/a.md'), 2, (text) => text.length)
    expect(context.tokens).toBe(context.system.length + context.user.length)
    expect(context.parts.map((part) => [part.layer, part.label, part.tokens])).toEqual([
      [0, 'CLAUDE.md', 20],
      [1, 'CONTEXT.md', 8],
      [2, 'pipeline/02-b/CONTEXT.md', 5],
      [4, '../01-a/output/a.md', 10],
    ])
  })

  it('hashes files as they lie there', async () => {
    const context = await load(second('- ../01-a/output/a.md'))
    expect(context.parts.map((part) => part.sha256)).toEqual([
      sha256(base['/repo/w/CLAUDE.md'] ?? ''),
      sha256(base['/repo/w/CONTEXT.md'] ?? ''),
      sha256(second('- ../01-a/output/a.md')['/repo/w/pipeline/02-b/CONTEXT.md']),
      sha256('# A\n\nfacts\n'),
    ])
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})

describe('inputs', () => {
  it('infers the layer from the place where none is stated', async () => {
    const context = await load({
      ...second(
        '- ../01-a/output/a.md\n- ../../_config/voice.md\n- references/r.md\n- own.md\n- ../../setup/s.md\n- /shared/t.md\n- Layer 4 (working): ../../_config/more.md',
      ),
      '/repo/w/pipeline/02-b/references/r.md': 'r',
      '/repo/w/pipeline/02-b/own.md': 'o',
      '/repo/w/setup/s.md': 's',
      '/repo/shared/t.md': 't',
      '/repo/w/_config/more.md': 'm',
    })
    expect(context.parts.slice(3).map((part) => [part.label, part.layer])).toEqual([
      ['../01-a/output/a.md', 4],
      ['../../_config/voice.md', 3],
      ['references/r.md', 3],
      ['own.md', 4],
      ['../../setup/s.md', 4],
      ['/shared/t.md', 3],
      ['../../_config/more.md', 4],
    ])
  })

  it('reads a folder in name order, without dotfiles and folders, or only its newest file', async () => {
    const folder = {
      '/repo/w/pipeline/01-a/output/b.md': 'b',
      '/repo/w/pipeline/01-a/output/.gitkeep': '',
      '/repo/w/pipeline/01-a/output/deep/c.md': 'c',
    }
    const all = await load({ ...second('- ../01-a/output/'), ...folder })
    expect(all.parts.slice(3).map((part) => part.label)).toEqual([
      '../01-a/output/a.md',
      '../01-a/output/b.md',
    ])
    const latest = await load({
      ...second('| File | Scope |\n|---|---|\n| `../01-a/output/` | Most recent draft |'),
      ...folder,
    })
    expect(latest.parts.slice(3).map((part) => part.label)).toEqual(['../01-a/output/b.md'])
    expect(latest.user).toContain('## ../01-a/output/b.md\nScope: Most recent draft\n\nb')
  })

  it('reads all matches of *, and the one match of a placeholder', async () => {
    const context = await load({
      ...second('- ../01-a/output/*.md\n- ../01-a/output/x-[slug].txt'),
      '/repo/w/pipeline/01-a/output/x-y.txt': 'xy',
    })
    expect(context.parts.slice(3).map((part) => part.label)).toEqual([
      '../01-a/output/a.md',
      '../01-a/output/x-[slug].txt',
    ])
  })

  it('drops what is no file, what is optional and absent, and what is there already, each with its reason', async () => {
    const context = await load({
      ...second(
        '- `git log`\n- User: (conversation)\n- https://x.org\n- the glossary\n- none\n- `gone.md` (optional)\n- ../../CLAUDE.md\n- ../01-a/output/a.md\n- ../01-a/output/a.md\n- image.png (optional)',
      ),
      '/repo/w/pipeline/02-b/image.png': 'PNG\0',
    })
    expect(context.dropped.map((part) => part.reason)).toEqual([
      'a command: recorded, never run',
      'comes from a person, not from a file',
      'outside the workspace: reported, never read',
      'names no file',
      'optional, and not there',
      'already there as layer 0',
      'listed twice',
      'not a text file',
    ])
    expect(context.problems).toEqual([])
    expect(context.parts).toHaveLength(4)
  })

  it('loads the whole file with a warning when a named part is not there', async () => {
    const context = await load(
      second('| File | Scope |\n|---|---|\n| `../../_config/voice.md` | "Wrods" section |'),
    )
    expect(context.problems).toMatchObject([
      { code: 'context/scope-not-found', severity: 'warning', path: 'pipeline/02-b/CONTEXT.md', line: 6 },
    ])
    expect(context.problems[0]?.what).toContain('the nearest is "Words"')
    expect(context.system).toContain('Plain.')
  })

  it('passes on the problems of the contract, with its path', async () => {
    const context = await load({ '/repo/w/pipeline/02-b/CONTEXT.md': '# S\n\n## Inputs\nnone\n' })
    expect(context.problems).toMatchObject([
      { code: 'contract/no-process', severity: 'error', path: 'pipeline/02-b/CONTEXT.md', line: 1 },
      { code: 'contract/no-outputs' },
    ])
  })
})

describe('for each', () => {
  const outline = '# Plan\n\n## Module 1: A\r\n- a\n\n## Aside\nx\n\n## Module 2: B\n- b\n'
  const stage = (source = '../01-a/output/a.md') =>
    second('- Layer 4 (working): ../01-a/input.md', `## For each\nmodule in ${source}\n\n`)

  it('gives the items and what was left out; the source is no input', async () => {
    const context = await load({ ...stage(), '/repo/w/pipeline/01-a/output/a.md': outline })
    expect(context.items).toEqual([
      { index: 1, heading: 'Module 1: A', body: '- a' },
      { index: 2, heading: 'Module 2: B', body: '- b' },
    ])
    expect(context.skippedSections).toEqual(['Aside'])
    expect(context.forEachPath).toBe('/repo/w/pipeline/01-a/output/a.md')
    expect(context.user).toBe('Do b.\n\n## ../01-a/input.md\n\nidea')
  })

  it('ends the user text of an item with the item, behind a prefix that is the same for all', async () => {
    const context = await load({ ...stage(), '/repo/w/pipeline/01-a/output/a.md': outline })
    const [one, two] = context.items as [ForEachItem, ForEachItem]
    expect(renderItem(context, one)).toBe(
      `${context.user}\n\n# The module to write now\n\n## Module 1: A\n\n- a`,
    )
    const carried = renderItem(context, two, ['Module 1: A – says\na'])
    expect(carried).toBe(
      `${context.user}\n\n# Written so far, one line for each earlier module\n\n- Module 1: A – says a\n\n# The module to write now\n\n## Module 2: B\n\n- b`,
    )
    expect(renderItem(context, { index: 3, heading: 'C', body: '' })).toBe(
      `${context.user}\n\n# The module to write now\n\n## C`,
    )
  })

  it('names file and headings when there are no items', async () => {
    const context = await load({
      ...stage(),
      '/repo/w/pipeline/01-a/output/a.md': '# Plan\n\n### Module 1\n',
    })
    expect(context.items).toEqual([])
    expect(context.problems).toMatchObject([
      {
        code: 'context/no-items',
        severity: 'error',
        line: 7,
        what: '"../01-a/output/a.md" has no module: no level-2 heading outside code and lists, and no numbered list.',
        why: 'Its headings are: # Plan, ### Module 1.',
        instead: 'Give every module in pipeline/01-a/output/a.md a heading such as "## Module 1: title".',
      },
    ])
    const bare = await load({ ...stage(), '/repo/w/pipeline/01-a/output/a.md': 'text' })
    expect(bare.problems[0]?.why).toBe('The file has no headings.')
  })

  it('misses its source like any input', async () => {
    const context = await load(stage('../01-a/output/outline.md'))
    expect(context.problems).toMatchObject([
      { code: 'context/missing-input', line: 7, details: { path: '../01-a/output/outline.md' } },
    ])
    expect((await load(stage('../../../../x.md'))).problems).toMatchObject([{ code: 'context/escapes-root' }])
  })
})
