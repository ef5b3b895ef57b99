import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { memoryFiles } from './memory-files.js'
import { openWorkspace } from './open-workspace.js'
import { resolveInput } from './resolve-input.js'
import type { StageRef } from './types.js'

const files = memoryFiles({
  '/repo/.git/HEAD': 'x',
  '/repo/_core/y.md': 'y',
  '/repo/shared/z.md': 'z',
  '/repo/only-repo.md': 'x',
  '/repo/ws/_config/x.md': 'x',
  '/repo/ws/_core/own.md': 'x',
  '/repo/ws/output/w.md': 'w',
  '/repo/ws/stages/01-a/CONTEXT.md': '# S',
  '/repo/ws/stages/01-a/output/a.md': 'a',
  '/repo/ws/stages/01-a/output/b.md': 'b',
  '/repo/ws/stages/01-a/output/one-x.md': 'x',
  '/repo/ws/stages/01-a/output/runs/r1/two-x.md': 'x',
  '/repo/ws/stages/01-a/output/.hidden-x.md': 'x',
  '/repo/ws/stages/02-b/CONTEXT.md': '# S',
  '/repo/ws/stages/02-b/output/s.md': 's',
  '/secret.md': 'secret',
})
const workspace = await openWorkspace('/repo/ws', { files })
const stage = workspace.stages[1] as StageRef
const find = async (path: string, siblingOf?: string) => {
  const resolved = await resolveInput(workspace, stage, path, siblingOf ? { siblingOf } : {})
  return resolved.status === 'found'
    ? resolved.matches.map((match) => match.path.replace('/repo/', ''))
    : resolved.status
}

describe('resolveInput', () => {
  it.each([
    ['output/', ['ws/stages/02-b/output']],
    ['_config/x.md', ['ws/_config/x.md']],
    ['only-repo.md', ['only-repo.md']],
    ['stages/01-a/output/a.md', ['ws/stages/01-a/output/a.md']],
    ['/_core/y.md', ['_core/y.md']],
    ['/_core/own.md', ['ws/_core/own.md']],
    ['../01-a/output/a.md', ['ws/stages/01-a/output/a.md']],
    ['./output/s.md', ['ws/stages/02-b/output/s.md']],
    ['../../../shared/z.md', ['shared/z.md']],
    ['../01-a/output/a.md/', 'missing'],
    ['../x.md', 'missing'],
    ['./_config/x.md', 'missing'],
    ['/secret.md', 'missing'],
    ['../../../../secret.md', 'escapes'],
    ['../../../../../../secret.md', 'escapes'],
    ['a/../../../../../secret.md', 'escapes'],
    ['~/x.md', 'external'],
    ['https://x.org/a.md', 'external'],
    ['@icm/x', 'external'],
  ])('%s', async (path, expected) => {
    expect(await find(path)).toEqual(expected)
  })

  it('tries a bare name beside the path before it, then as any other', async () => {
    expect(await find('b.md', '../01-a/output/a.md')).toEqual(['ws/stages/01-a/output/b.md'])
    expect(await find('only-repo.md', '../01-a/output/a.md')).toEqual(['only-repo.md'])
    expect(await find('b.md')).toBe('missing')
  })

  it('matches placeholders and * with what is there, never dotfiles', async () => {
    expect(await find('../01-a/output/[slug]-x.md')).toEqual(['ws/stages/01-a/output/one-x.md'])
    expect(await find('../01-a/output/runs/<run>/{name}-x.md')).toEqual([
      'ws/stages/01-a/output/runs/r1/two-x.md',
    ])
    expect(await find('../01-a/output/*.md')).toEqual(
      ['a', 'b', 'one-x'].map((name) => `ws/stages/01-a/output/${name}.md`),
    )
    expect(await find('../01-a/output/[any].md')).toBe('ambiguous')
    expect(await find('../01-a/output/[slug]-y.md')).toBe('missing')
  })

  it('tells where it looked, seen from the workspace', async () => {
    const { lookedIn } = await resolveInput(workspace, stage, 'nowhere.md')
    expect(lookedIn).toEqual(['stages/02-b/nowhere.md', 'nowhere.md', '../nowhere.md'])
    expect((await resolveInput(workspace, stage, '/nowhere.md')).lookedIn).toEqual([
      'nowhere.md',
      '../nowhere.md',
    ])
  })
})

describe('symbolic links', () => {
  let folder = ''
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('are followed inside the allowed root, not out of it', async () => {
    folder = await mkdtemp(join(tmpdir(), 'icm-links-'))
    const root = join(folder, 'w')
    await mkdir(join(root, '01-a'), { recursive: true })
    await mkdir(join(folder, 'outside'))
    await writeFile(join(folder, 'outside/secret.md'), 'secret')
    await writeFile(join(root, 'rules.md'), 'rules')
    await writeFile(join(root, '01-a/CONTEXT.md'), '# S')
    await symlink(join(root, 'rules.md'), join(root, '01-a/rules-link.md'))
    await symlink(join(folder, 'outside/secret.md'), join(root, '01-a/file-link.md'))
    await symlink(join(folder, 'outside'), join(root, '01-a/folder-link'))
    const opened = await openWorkspace(root)
    const first = opened.stages[0] as StageRef
    const status = async (path: string) => (await resolveInput(opened, first, path)).status
    expect(await status('rules-link.md')).toBe('found')
    expect(await status('file-link.md')).toBe('escapes')
    expect(await status('folder-link/secret.md')).toBe('escapes')
    expect(await status('folder-link/*.md')).toBe('escapes')
    expect(await status('folder-link/')).toBe('escapes')
  })
})
