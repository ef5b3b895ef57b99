import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { memoryFiles } from './memory-files.js'
import { openWorkspace } from './open-workspace.js'
import { readContract } from './read-contract.js'
import { resolveOutputs } from './resolve-outputs.js'

async function resolve(lines: readonly string[]) {
  const contract = `# S\n\n## Process\ngo\n\n## Outputs\n${lines.map((line) => `- ${line}`).join('\n')}\n`
  const files = memoryFiles({
    '/w/CLAUDE.md': 'x',
    '/w/stages/01-a/CONTEXT.md': contract,
    '/w/stages/02-b/CONTEXT.md': '# S',
  })
  const workspace = await openWorkspace('/w', { files })
  const read = await readContract(workspace, 1)
  return resolveOutputs(workspace, read.stage, read.contract)
}

describe('resolveOutputs', () => {
  it.each([
    ['x.md -> output/', '/w/stages/01-a/output/x.md'],
    ['../../pieces/x.md', '/w/pieces/x.md'],
    ['`stages/01-a/output/x.md`', '/w/stages/01-a/output/x.md'],
    ['/pieces/x.md', '/w/pieces/x.md'],
    ['output/', '/w/stages/01-a/output'],
  ])('%s is written to %s', async (line, path) => {
    const { outputs, problems } = await resolve([line])
    expect(outputs.map((output) => output.path)).toEqual([path])
    expect(outputs[0]?.folder).toBe(line === 'output/')
    expect(problems).toEqual([])
  })

  it('leaves a placeholder without a value, and says which line to add', async () => {
    const { outputs, problems } = await resolve(['[slug]-x.md'])
    expect(outputs).toMatchObject([
      { path: '/w/stages/01-a/output/[slug]-x.md', label: 'output/[slug]-x.md', templated: true },
    ])
    expect(problems).toMatchObject([
      {
        code: 'context/templated-output',
        severity: 'info',
        path: 'stages/01-a/CONTEXT.md',
        line: 7,
        instead: expect.stringContaining('slug = "..." under [placeholders] in icm.config.toml'),
      },
    ])
  })

  it.each([
    ['../../../x.md', 'context/output-outside-workspace'],
    ['/../x.md', 'context/output-outside-workspace'],
    ['../02-b/CONTEXT.md', 'context/output-protected'],
    ['../../CLAUDE.md', 'context/output-protected'],
    ['/.icm/run.json', 'context/output-protected'],
    ['/.git/config.txt', 'context/output-protected'],
  ])('never writes %s', async (line, code) => {
    const { outputs, problems } = await resolve([`\`${line}\``, 'ok.md'])
    expect(outputs.map((output) => output.label)).toEqual(['output/ok.md'])
    expect(problems).toMatchObject([{ code, severity: 'error' }])
  })
})

describe('on the disk', () => {
  let folder = ''
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('does not follow a link out of the workspace', async () => {
    folder = await mkdtemp(join(tmpdir(), 'icm-outputs-'))
    const root = join(folder, 'w')
    await mkdir(join(root, '01-a'), { recursive: true })
    await mkdir(join(folder, 'outside'))
    await writeFile(join(root, '01-a/CONTEXT.md'), '# S\n\n## Process\ngo\n\n## Outputs\n- x.md -> output/\n')
    await symlink(join(folder, 'outside'), join(root, '01-a/output'))
    const workspace = await openWorkspace(root, { allowedRoot: folder })
    const read = await readContract(workspace, 1)
    const { outputs, problems } = await resolveOutputs(workspace, read.stage, read.contract)
    expect(outputs).toEqual([])
    expect(problems).toMatchObject([{ code: 'context/output-outside-workspace' }])
    expect(problems[0]?.what).toContain('through a symbolic link')
  })
})
