import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeFolder } from './make-folder.js'

const folder = mkdtempSync(join(tmpdir(), 'icm-folder-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('makes parents, and accepts a folder that is there, also when many make it at once', async () => {
  const path = join(folder, 'a', 'b', 'c')
  await Promise.all(Array.from({ length: 10 }, () => makeFolder(path)))
  await makeFolder(path)
  expect(statSync(path).isDirectory()).toBe(true)
})

it('says so when a file is in the way', async () => {
  writeFileSync(join(folder, 'file'), '')
  await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'file/in-the-way' })
  await expect(makeFolder(join(folder, 'file', 'a', 'b'))).rejects.toMatchObject({
    code: 'file/in-the-way',
    details: { obstacle: join(folder, 'file') },
  })
  symlinkSync(join(folder, 'nowhere'), join(folder, 'link'))
  await expect(makeFolder(join(folder, 'link', 'below'))).rejects.toMatchObject({
    code: 'file/in-the-way',
    details: { obstacle: join(folder, 'link') },
  })
})

it.skipIf(process.platform !== 'linux')('ends where no folder can be made (Linux: /proc)', async () => {
  await expect(makeFolder('/proc/icm-test/below')).rejects.toMatchObject({ code: 'file/write-failed' })
})
