import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { checkWritable } from './check-writable.js'
import { findObstacle } from './find-obstacle.js'

const folder = mkdtempSync(join(tmpdir(), 'icm-writable-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const place = (...parts: string[]) => join(folder, ...parts)

it('makes the folders of files that can be written and leaves nothing else', async () => {
  writeFileSync(place('there.md'), 'old')
  await checkWritable([place('new', 'deep', 'a.md'), place('there.md')])
  expect(readdirSync(place('new', 'deep'))).toEqual([])
  expect(readdirSync(folder).sort()).toEqual(['new', 'there.md'])
})

it('names what stands in the way: a folder, a file above, a broken link, a pipe', async () => {
  mkdirSync(place('folder.md'))
  writeFileSync(place('file'), '')
  symlinkSync(place('nowhere'), place('link'))
  spawnSync('mkfifo', [place('pipe')])
  const cases = [
    ['folder.md', 'folder.md', 'a folder'],
    ['file/x.md', 'file', 'a file'],
    ['file/deep/x.md', 'file', 'a file'],
    ['link', 'link', 'a symbolic link that leads nowhere'],
    ['link/x.md', 'link', 'a symbolic link that leads nowhere'],
    ['pipe', 'pipe', 'a device or a pipe'],
  ] as const
  for (const [path, obstacle, kind] of cases) {
    const expected = {
      code: 'file/in-the-way',
      why: expect.stringContaining(kind),
      details: { path: place(path), obstacle: place(obstacle) },
    }
    expect(await findObstacle(place(path))).toMatchObject(expected)
    await expect(checkWritable([place(path)])).rejects.toMatchObject(expected)
  }
  expect(await findObstacle(place('not', 'there'))).toBeUndefined()
})

it('finds that one path is the folder of another', async () => {
  await expect(checkWritable([place('one'), place('one', 'two.md')])).rejects.toMatchObject({
    code: 'file/in-the-way',
    details: { obstacle: place('one') },
  })
})

const canMount = process.platform === 'linux' && process.getuid?.() === 0

it.skipIf(!canMount)('a read-only file system: says so (needs root on Linux)', async () => {
  const mounted = mkdtempSync(join(tmpdir(), 'icm-mount-'))
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', mounted])
  try {
    for (const path of ['a.md', 'new/a.md']) {
      await expect(checkWritable([join(mounted, path)])).rejects.toMatchObject({ code: 'file/read-only' })
    }
  } finally {
    spawnSync('umount', [mounted])
    rmSync(mounted, { recursive: true })
  }
})
