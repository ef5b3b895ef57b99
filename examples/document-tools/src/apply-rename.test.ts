import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { applyRename, undoRename } from './apply-rename.js'
import { makeToolFolder, type ToolFolder } from './testing/tool-folder.js'

let folder: ToolFolder
let undoFile: string
beforeEach(async () => {
  folder = await makeToolFolder({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
  undoFile = join(folder.root, '.document-tools', 'undo.json')
})
afterEach(() => folder.remove())

const names = async () => (await readdir(folder.root)).filter((name) => !name.startsWith('.')).sort()
const move = (name: string) => ({ from: `${name}.txt`, to: `${name}.md` })

it('a file that has gone stops it, with what was done; the undo gives back what is there', async () => {
  const plan = [move('a'), move('gone'), move('c')]
  await expect(applyRename(folder.root, plan, { undoFile })).rejects.toMatchObject({
    code: 'document/rename-stopped',
    what: '1 of 3 files were renamed; gone.txt was not, nor what follows it.',
    details: { done: 1, total: 3 },
  })
  expect(await names()).toEqual(['a.md', 'b.txt', 'c.txt'])
  expect(await undoRename(folder.root, undoFile)).toBe(1)
  expect(await names()).toEqual(['a.txt', 'b.txt', 'c.txt'])
})

it('a name that was taken since the plan was made is not replaced', async () => {
  await folder.write('a.md', 'mine')
  const stopped = applyRename(folder.root, [move('a')], { undoFile })
  await expect(stopped).rejects.toThrow(/0 of 1 files were renamed.*EEXIST/)
  expect((await folder.call('read_document', { path: 'a.md' })).text).toContain('mine')
  expect(await names()).toContain('a.txt')
})

it('an undo leaves a name alone that is in use again', async () => {
  await applyRename(folder.root, [move('a'), move('b')], { undoFile })
  await folder.write('a.txt', 'new')
  expect(await undoRename(folder.root, undoFile)).toBe(1)
  expect(await names()).toEqual(['a.md', 'a.txt', 'b.txt', 'c.txt'])
})

it('an abort stops between two files', async () => {
  const signal = AbortSignal.abort(new DOMException('enough', 'AbortError'))
  const stopped = applyRename(folder.root, [move('a')], { undoFile, signal })
  await expect(stopped).rejects.toThrow(/0 of 1 files were renamed.*that the time is up/)
})
