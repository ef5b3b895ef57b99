import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { cliIn, temporaryFolder } from './__fixtures__/cli-runner.js'
import { copyWhole } from './copy-whole.js'

const goOn = new AbortController().signal

function source(): string {
  const folder = join(temporaryFolder(), 'source')
  mkdirSync(join(folder, 'deep', 'er'), { recursive: true })
  writeFileSync(join(folder, '_gitignore'), 'x')
  writeFileSync(join(folder, 'deep', 'er', 'file.md'), 'x')
  return folder
}

describe('copyWhole', () => {
  it('makes the folder with its parents, or fills one that is there', async () => {
    const from = source()
    const target = temporaryFolder()
    expect(await copyWhole(from, join(target, 'a', 'b'), goOn)).toBe(2)
    expect(readdirSync(join(target, 'a'))).toEqual(['b'])
    mkdirSync(join(target, 'empty'))
    await copyWhole(from, join(target, 'empty'), goOn)
    expect(readdirSync(join(target, 'empty')).sort()).toEqual(['.gitignore', 'deep'])
  })

  it('leaves nothing behind when it is aborted or something is in the way', async () => {
    const from = source()
    const target = temporaryFolder()
    const reason = { why: 'enough' }
    await expect(copyWhole(from, join(target, 'a', 'b'), AbortSignal.abort(reason))).rejects.toBe(reason)
    await expect(copyWhole(from, target, AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(readdirSync(target)).toEqual([])
    mkdirSync(join(target, 'there', 'deep'), { recursive: true })
    writeFileSync(join(target, 'there', 'deep', 'mine.md'), 'x')
    await expect(copyWhole(from, join(target, 'there'), goOn)).rejects.toMatchObject({
      what: expect.stringContaining('deep'),
    })
    expect(readdirSync(join(target, 'there'))).toEqual(['deep'])
    expect(readdirSync(join(target, 'there', 'deep'))).toEqual(['mine.md'])
  })

  it('clears away what a killed one has left, which does not count as a file of the person', async () => {
    const folder = temporaryFolder()
    const dead = spawnSync(process.execPath, ['-e', '']).pid
    mkdirSync(join(folder, `.icm-init-${dead}`, 'half'), { recursive: true })
    expect(await cliIn(folder)('init', '--template', 'minimal')).toMatchObject({ code: 0 })
    expect(readdirSync(folder).filter((name) => name.startsWith('.icm-init'))).toEqual([])
  })
})

describe.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'icm init on a disk without room (needs root on Linux)',
  () => {
    const place = mkdtempSync(join(tmpdir(), 'icm-full-'))
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=40k', 'tmpfs', place])
    afterAll(() => {
      spawnSync('umount', [place])
      rmdirSync(place)
    })

    it.each(['new/course', '.'])('makes nothing of %s', async (name) => {
      expect(mounted.status, String(mounted.stderr)).toBe(0)
      const home = temporaryFolder()
      const result = await cliIn(place, { env: { HOME: home } })('init', name)
      expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('The disk is full') })
      expect(existsSync(join(place, 'new'))).toBe(false)
      expect(readdirSync(place)).toEqual([])
    })
  },
)
