import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listDocuments } from './list-documents.js'

let base: string
let root: string
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'icm-list-'))
  root = join(base, 'library')
  await mkdir(root)
})
afterEach(() => rm(base, { recursive: true }))

const put = async (path: string, text = 'x') => {
  await mkdir(join(root, path, '..'), { recursive: true })
  await writeFile(join(root, path), text)
}
const paths = async () => (await listDocuments(root)).map((document) => document.path)

it('finds documents in all folders, sorted, by extension in any case', async () => {
  for (const path of ['b.md', 'A.HTML', 'deep/er/c.txt', 'deep/d.htm', 'e.markdown']) await put(path)
  expect(await paths()).toEqual(['A.HTML', 'b.md', 'deep/d.htm', 'deep/er/c.txt', 'e.markdown'])
})

it('tells size and time', async () => {
  await put('a.md', 'twelve bytes')
  expect(await listDocuments(root)).toEqual([{ path: 'a.md', bytes: 12, modifiedMs: expect.any(Number) }])
})

it('leaves out hidden names, other kinds and folders with a document name', async () => {
  for (const path of ['.hidden.md', '.git/config.md', 'image.png', 'data.json', 'noextension'])
    await put(path)
  await mkdir(join(root, 'folder.md'))
  expect(await paths()).toEqual([])
})

it('leaves out symbolic links, inside, outside, dangling and in a circle', async () => {
  await put('real.md')
  await mkdir(join(root, 'folder'))
  await writeFile(join(base, 'secret.md'), 'secret')
  await symlink(join(base, 'secret.md'), join(root, 'leak.md'))
  await symlink(base, join(root, 'up'))
  await symlink('real.md', join(root, 'again.md'))
  await symlink('nowhere.md', join(root, 'dangling.md'))
  await symlink('..', join(root, 'folder', 'circle'))
  expect(await paths()).toEqual(['real.md'])
})

it('throws for a folder that is not there', async () => {
  await expect(listDocuments(join(root, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' })
})

it('stops when aborted, with the reason untouched', async () => {
  await put('a.md')
  const reason = { stop: true }
  await expect(listDocuments(root, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})
