import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { temporaryFolder } from './__fixtures__/cli-runner.js'
import { parseConfiguration } from './config.js'
import { requireGrant } from './workspace-grant.js'

vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  // As for a user whom the system does not know, such as a container's bare number.
  homedir: () => {
    throw new TypeError('uv_os_homedir returned ENOENT')
  },
}))

async function grant(env: NodeJS.ProcessEnv, args = '["x.mjs"]') {
  const workspaceRoot = temporaryFolder()
  const configuration = await parseConfiguration(`[servers.notes]\ncommand = "node"\nargs = ${args}\n`)
  return requireGrant({ workspaceRoot, configuration, trusted: true, env })
}

it.each(['null', '[]', '"x"', '{"a":null}', '{"a":{"workspace":5,"grantedAt":"x"}}', '{"a":[]}', '{'])(
  'a file of grants that holds %s is refused by name, and kept',
  async (text) => {
    const folder = temporaryFolder()
    const path = join(folder, 'icm', 'grants.json')
    mkdirSync(join(folder, 'icm'))
    writeFileSync(path, text)
    await expect(grant({ XDG_CONFIG_HOME: folder })).rejects.toMatchObject({
      code: 'cli/configuration',
      what: expect.stringContaining(path),
    })
    expect(readFileSync(path, 'utf8')).toBe(text)
  },
)

it('reads no device and no pipe that an argument names', async () => {
  await grant({ XDG_CONFIG_HOME: temporaryFolder() }, '["/dev/zero"]')
})

it('a user without a home is told which variable to set', async () => {
  await expect(grant({})).rejects.toMatchObject({
    code: 'cli/no-home',
    instead: expect.stringContaining('XDG_CONFIG_HOME'),
  })
})
