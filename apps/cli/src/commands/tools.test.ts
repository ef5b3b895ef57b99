import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cliIn, temporaryFolder } from '../__fixtures__/cli-runner.js'

async function course() {
  const folder = temporaryFolder()
  await cliIn(folder)('init', 'work')
  const root = join(folder, 'work')
  return { root, icm: cliIn(root) }
}

describe('icm tools', () => {
  it('lists every tool with what it costs; of a stage only those that it may use', async () => {
    const { icm } = await course()
    const all = await icm('tools', 'list', '--json')
    expect(all, all.stderr).toMatchObject({ code: 0 })
    const { tools, totalTokens } = JSON.parse(all.stdout)
    const names = tools.map((tool: { name: string }) => tool.name)
    expect(names).toContain('search-server_search')
    const sum = tools.reduce((total: number, tool: { tokens: number }) => total + tool.tokens, 0)
    expect(totalTokens).toBe(sum)
    const { stdout } = await icm('tools', 'list', '--stage', '02')
    expect(stdout).toMatch(/^browser-server_fetch_snippet +\d+ +Reads a page/m)
    expect((await icm('tools', 'list', '--stage', '01')).stdout).toContain('0 tools')
  })

  it('finds nothing serious in the bundled servers', async () => {
    const { icm } = await course()
    const { code, stdout, stderr } = await icm('tools', 'check')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/\d tools, about \d+ tokens in each request, no findings/)
  })

  it('shows how tools were used, from the journals, and says so when there is none', async () => {
    const { root, icm } = await course()
    expect((await icm('tools', 'stats')).stdout).toContain('no stage with tools has run here')
    const agent = (stage: string, event: object) => JSON.stringify({ type: 'agent', run: 'r', stage, event })
    const end = (name: string, status: string) => ({
      type: 'tool-end',
      call: { name },
      status,
      durationMs: 500,
    })
    const lines = [
      agent('02', { type: 'run-start', tools: ['look', 'read'] }),
      agent('02', end('look', 'ok')),
      agent('02', end('look', 'error')),
    ]
    mkdirSync(join(root, '.icm/runs/r'), { recursive: true })
    writeFileSync(join(root, '.icm/runs/r/journal.jsonl'), lines.join('\n'))
    const { stdout } = await icm('tools', 'stats')
    expect(stdout).toMatch(/^look +2 +1 +100 % +50 % +0\.5 s +keep$/m)
    expect(stdout).toMatch(/^read +0 +1 +0 % +0 % +keep$/m)
  })

  it('names what there is for another word', async () => {
    const { icm } = await course()
    expect(await icm('tools', 'chekc')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('list, check and stats'),
    })
    expect((await icm('tools')).stderr).toContain('<list|check|stats> is missing')
  })
})
