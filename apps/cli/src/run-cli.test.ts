import { describe, expect, it } from 'vitest'
import { cliIn, temporaryFolder } from './__fixtures__/cli-runner.js'

describe('icm', () => {
  it('without a command shows the commands', async () => {
    const result = await cliIn(temporaryFolder())()
    expect(result.code).toBe(0)
    for (const name of ['init', 'run', 'status', 'probe', 'redo', 'doctor'])
      expect(result.stdout).toContain(`  ${name}`)
  })

  it.each(['init', 'run', 'status', 'probe', 'redo', 'doctor'])(
    '%s --help has usage and an example',
    async (name) => {
      const result = await cliIn(temporaryFolder())(name, '--help')
      expect(result).toMatchObject({ code: 0, stderr: '' })
      expect(result.stdout).toMatch(new RegExp(`Usage: icm ${name}`))
      expect(result.stdout).toContain(`Example: icm ${name}`)
    },
  )

  it('a stage without its option is understood', async () => {
    expect(await cliIn(temporaryFolder())('run', '02-research')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "icm run --stage 02-research"?'),
    })
  })

  it('an unknown command names the nearest one', async () => {
    expect(await cliIn(temporaryFolder())('stauts')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "icm status"?'),
    })
  })

  it('prints its version', async () => {
    expect((await cliIn(temporaryFolder())('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})
