import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cliIn, temporaryFolder } from '../__fixtures__/cli-runner.js'

/** A minimal workspace from the template, with some files changed. */
async function workspace(changes: { readonly [path: string]: string } = {}) {
  const folder = temporaryFolder()
  await cliIn(folder)('init', 'work', '--template', 'minimal')
  const root = join(folder, 'work')
  for (const [path, text] of Object.entries(changes)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return { root, icm: cliIn(root) }
}

const stage = (tools: string) =>
  `# Stage: 03-see\n\n## Inputs\n- ../02-write/output/texxt.md\n\n## Tools\n${tools}\n\n## Process\nLook.\n\n## Outputs\n- seen.md -> output/\n`

describe('icm check', () => {
  it.each(['minimal', 'course-research'])('finds nothing in the template %s', async (template) => {
    const folder = temporaryFolder()
    await cliIn(folder)('init', 'work', '--template', template)
    const { code, stdout, stderr } = await cliIn(join(folder, 'work'))('check')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/^\d stages, no problems\n$/)
  })

  it('prints file, line, column, severity, code and fix, and ends with 4', async () => {
    const { icm } = await workspace({ 'stages/03-see/CONTEXT.md': stage('none') })
    const { code, stdout, stderr } = await icm('check')
    expect(code).toBe(4)
    expect(stdout).toMatch(/^stages\/03-see\/CONTEXT\.md:4:3 error context\/missing-input .*texxt\.md/m)
    expect(stderr).toContain('3 stages, 1 error')
  })

  it('ends with 0 when there is nothing worse than a warning', async () => {
    const { icm } = await workspace({ 'stages/03-see/notes.md': 'No contract here.\n' })
    const { code, stdout } = await icm('check')
    expect(stdout).toContain(' warning context/no-contract ')
    expect(code).toBe(0)
  })

  it('--json holds the problems and the contracts as they were read', async () => {
    const { root, icm } = await workspace({ 'stages/03-see/CONTEXT.md': stage('none') })
    const { code, stdout } = await icm('check', '--json')
    const report = JSON.parse(stdout)
    expect(code).toBe(4)
    expect(report).toMatchObject({
      workspace: root,
      problems: expect.arrayContaining([
        expect.objectContaining({
          path: 'stages/03-see/CONTEXT.md',
          line: 4,
          column: 3,
          severity: 'error',
          code: 'context/missing-input',
          instead: expect.stringMatching(/./),
        }),
      ]),
    })
    expect(report.stages.map((one: { name: string }) => one.name)).toHaveLength(3)
    expect(report.stages[2]).toMatchObject({
      name: '03-see',
      contract: { outputs: [{ path: 'output/seen.md' }], process: 'Look.' },
      inputs: [{ status: 'missing' }],
      outputs: ['stages/03-see/output/seen.md'],
    })
  })

  it('knows the servers of a configuration without starting them, and none without one', async () => {
    const contract = { 'stages/03-see/CONTEXT.md': stage('- search-servr: search').replace('texxt', 'text') }
    const without = await workspace(contract)
    expect((await without.icm('check')).stdout).not.toContain('search-servr')
    const configured = await workspace({ ...contract, 'icm.config.toml': '[search]\nbackend = "folder"\n' })
    const { code, stdout } = await configured.icm('check')
    expect(stdout).toMatch(/03-see\/CONTEXT\.md:7:\d+ error .*search-servr.*search-server/)
    expect(code).toBe(4)
  })

  it('checks servers and their tools only when asked to', async () => {
    const { icm } = await workspace({
      'stages/03-see/CONTEXT.md': stage('browser-server: fetch_snipet\nserach-server: search').replace(
        'texxt',
        'text',
      ),
      'stages/02-write/output/text.md': 'Text.\n',
    })
    expect((await icm('check')).stdout).not.toMatch(/context\/unknown-/)
    const { code, stdout } = await icm('check', '--servers')
    expect(code).toBe(4)
    expect(stdout).toMatch(/:7:\d+ error context\/unknown-tool .*fetch_snippet/)
    expect(stdout).toMatch(/:8:\d+ error context\/unknown-server .*search-server/)
  })

  it('a server that does not start is an error of the line that names it; a foreign one waits for a person', async () => {
    const { icm } = await workspace({
      'stages/03-see/CONTEXT.md': stage('broken: look'),
      'icm.config.toml': '[servers.broken]\ncommand = "no-such-program"\n',
    })
    expect((await icm('check', '--servers')).code).toBe(3)
    const { code, stdout } = await icm('check', '--servers', '--trust-workspace')
    expect(code).toBe(4)
    expect(stdout).toMatch(/CONTEXT\.md:7:\d+ error cli\/server-failed .*"broken".*no-such-program/)
  })
})
