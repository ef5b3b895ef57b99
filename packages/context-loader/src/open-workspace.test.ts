import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { ContextLoaderError } from './errors.js'
import { memoryFiles } from './memory-files.js'
import { openWorkspace } from './open-workspace.js'

const open = (record: Record<string, string>, options: { allowedRoot?: string } = {}) =>
  openWorkspace('/w', { files: memoryFiles(record), ...options })
const contract = '# S\n'
const codes = (workspace: { problems: readonly { code: string }[] }) =>
  workspace.problems.map((problem) => problem.code)

describe('openWorkspace', () => {
  it('lists the stages of pipeline/ in running order, and layers 0 and 1', async () => {
    const workspace = await open({
      '/w/CLAUDE.md': 'who',
      '/w/CONTEXT.md': 'where',
      '/w/pipeline/10-e/CONTEXT.md': contract,
      '/w/pipeline/02-d/CONTEXT.md': contract,
      '/w/pipeline/01c-c/CONTEXT.md': contract,
      '/w/pipeline/01-a/CONTEXT.md': contract,
      '/w/pipeline/01b_b/CONTEXT.md': contract,
      '/w/pipeline/proposed/README.md': 'x',
      '/w/pipeline/brand/CONTEXT.md': contract,
    })
    expect(workspace.stages.map((stage) => stage.name)).toEqual(['01-a', '01b_b', '01c-c', '02-d', '10-e'])
    expect(workspace.stages[1]).toEqual({
      name: '01b_b',
      number: 1,
      letter: 'b',
      folder: '/w/pipeline/01b_b',
      contractPath: '/w/pipeline/01b_b/CONTEXT.md',
    })
    expect(workspace).toMatchObject({
      root: '/w',
      allowedRoot: '/w',
      stagesFolder: '/w/pipeline',
      identityPath: '/w/CLAUDE.md',
      routingPath: '/w/CONTEXT.md',
      problems: [],
    })
  })

  it.each([
    ['stages/', '/w/stages/01-a/CONTEXT.md', '/w/stages'],
    ['the workspace itself', '/w/01-a/CONTEXT.md', '/w'],
  ])('finds stages in %s', async (_, path, folder) => {
    expect((await open({ [path]: contract })).stagesFolder).toBe(folder)
  })

  it('takes the enclosing git repository for the allowed root, if none is given', async () => {
    const record = { '/w/01-a/CONTEXT.md': contract, '/.git/HEAD': 'x' }
    expect((await open(record)).allowedRoot).toBe('/')
    expect((await open(record, { allowedRoot: '/w' })).allowedRoot).toBe('/w')
    await expect(open(record, { allowedRoot: '/other' })).rejects.toMatchObject({
      code: 'context/allowed-root',
    })
  })

  it('reports two folders with one number, numbered folders without a contract, and a second container', async () => {
    const workspace = await open({
      '/w/pipeline/01-a/CONTEXT.md': contract,
      '/w/pipeline/02-b/CONTEXT.md': contract,
      '/w/pipeline/02-c/CONTEXT.md': contract,
      '/w/pipeline/03-d/CONTEXT_LITE.md': contract,
      '/w/stages/01-x/CONTEXT.md': contract,
    })
    expect(workspace.problems).toMatchObject([
      { code: 'context/no-contract', severity: 'warning', path: 'pipeline/03-d' },
      {
        code: 'context/same-number',
        severity: 'error',
        path: 'pipeline/02-c',
        what: expect.stringContaining('"02-b"'),
      },
      { code: 'context/two-stage-folders', severity: 'warning', path: 'stages' },
    ])
    expect(workspace.stages).toHaveLength(3)
  })

  it('takes CLAUDE.md before AGENTS.md, and CONTEXT.md before context.md, and says so', async () => {
    const workspace = await open({
      '/w/CLAUDE.md': 'c',
      '/w/AGENTS.md': 'a',
      '/w/01-a/CONTEXT.md': contract,
      '/w/01-a/context.md': contract,
      '/w/02-b/context.md': contract,
    })
    expect(workspace.identityPath).toBe('/w/CLAUDE.md')
    expect(workspace.stages.map((stage) => stage.contractPath)).toEqual([
      '/w/01-a/CONTEXT.md',
      '/w/02-b/context.md',
    ])
    expect(codes(workspace)).toEqual(['context/two-identities', 'context/two-contracts'])
    expect((await open({ '/w/AGENTS.md': 'a', '/w/01-a/CONTEXT.md': contract })).identityPath).toBe(
      '/w/AGENTS.md',
    )
  })

  it('says where it looked and what it found when there is no stage', async () => {
    const error = await open({ '/w/notes.md': 'x', '/w/01-a/readme.md': 'x' }).catch(
      (caught: unknown) => caught,
    )
    expect(error).toBeInstanceOf(ContextLoaderError)
    expect(error).toMatchObject({
      code: 'context/no-workspace',
      details: { folder: '/w', lookedIn: ['/w/pipeline', '/w/stages', '/w'], found: ['01-a', 'notes.md'] },
    })
    expect(String(error)).toContain('holds: 01-a, notes.md')
    await expect(open({})).rejects.toThrow('The folder does not exist.')
    await expect(open({ '/w': 'x' })).rejects.toThrow('this is a file')
  })
})

it('names the workspaces that a folder without stages holds, and the command for one', async () => {
  const files = {
    '/repo/README.md': 'x',
    '/repo/workspaces/b/01-a/CONTEXT.md': contract,
    '/repo/workspaces/a b/stages/01-a/CONTEXT.md': contract,
    '/repo/course/pipeline/01-a/CONTEXT.md': contract,
    '/repo/node_modules/x/01-a/CONTEXT.md': contract,
    '/repo/.cache/01-a/CONTEXT.md': contract,
    '/repo/too/deep/down/01-a/CONTEXT.md': contract,
  }
  await expect(openWorkspace('/repo', { files: memoryFiles(files) })).rejects.toMatchObject({
    code: 'context/no-workspace',
    why: expect.stringContaining('The folder holds workspaces: course, workspaces/a b, workspaces/b.'),
    instead: 'Open one of them, for example "icm check --workspace /repo/course".',
    details: { workspaces: ['course', 'workspaces/a b', 'workspaces/b'] },
  })
  await expect(openWorkspace('/repo/workspaces', { files: memoryFiles(files) })).rejects.toMatchObject({
    instead: expect.stringContaining("--workspace '/repo/workspaces/a b'"),
  })
})

describe('on the disk', () => {
  let folder = ''
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('does not follow links out of the allowed root', async () => {
    folder = await mkdtemp(join(tmpdir(), 'icm-open-'))
    const root = join(folder, 'w')
    await mkdir(join(root, '01-a'), { recursive: true })
    await mkdir(join(root, '02-b'))
    await writeFile(join(folder, 'secret.md'), 'secret')
    await writeFile(join(root, '01-a/CONTEXT.md'), contract)
    await symlink(join(folder, 'secret.md'), join(root, 'CLAUDE.md'))
    await symlink(join(folder, 'secret.md'), join(root, '02-b/CONTEXT.md'))
    const workspace = await openWorkspace(root)
    expect(workspace.stages.map((stage) => stage.name)).toEqual(['01-a'])
    expect(workspace.identityPath).toBeUndefined()
    expect(workspace.problems).toMatchObject([
      { code: 'context/escapes-root', severity: 'error', path: 'CLAUDE.md' },
      { code: 'context/escapes-root', severity: 'error', path: '02-b/CONTEXT.md' },
    ])
    expect(codes(await openWorkspace(root, { allowedRoot: folder }))).toEqual([])
  })

  it('finds nothing to choose when AGENTS.md is a link to CLAUDE.md', async () => {
    folder = await mkdtemp(join(tmpdir(), 'icm-open-'))
    await mkdir(join(folder, '01-a'))
    await writeFile(join(folder, '01-a/CONTEXT.md'), contract)
    await writeFile(join(folder, 'CLAUDE.md'), 'who')
    await symlink('CLAUDE.md', join(folder, 'AGENTS.md'))
    expect(codes(await openWorkspace(folder))).toEqual([])
  })
})
