import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeToolFolder, type ToolFolder } from './testing/tool-folder.js'

let folder: ToolFolder
beforeEach(async () => {
  folder = await makeToolFolder({
    'notes/plan.md': 'The plan.\nBudget: 300 euros.\n',
    'notes/ideas.txt': 'No money.',
    'a.md': 'Nothing.',
    '.hidden/x.md': 'budget',
  })
})
afterEach(() => folder.remove())

const find = async (given: unknown) => (await folder.call('find_documents', given)).text

it('lists by name, folder and content', async () => {
  expect(await find({})).toBe('3 files found:\na.md\nnotes/ideas.txt\nnotes/plan.md')
  expect(await find({ glob: '*.md' })).toBe('2 files found:\na.md\nnotes/plan.md')
  expect(await find({ pattern: '*.md', dir: 'notes' })).toBe('1 file found:\nnotes/plan.md')
  expect(await find({ text: 'BUDGET' })).toBe('1 file found:\nnotes/plan.md:2: Budget: 300 euros.')
  expect(await find({ text: 'nowhere', folder: 'notes' })).toContain('No file in notes contains "nowhere".')
})

it('14,200 files come back as about 200 tokens of counts with the next call, and that call gives a page', async () => {
  for (let part = 0; part < 20; part++) {
    const inside = join(folder.root, 'archive', `box-${part}`)
    await mkdir(inside, { recursive: true })
    const names = Array.from(
      { length: 710 },
      (_, index) => `letter-${index}.${index % 3 === 0 ? 'txt' : 'md'}`,
    )
    await Promise.all(names.map((name) => writeFile(join(inside, name), '')))
  }
  const text = await find({ folder: 'archive' })
  expect(text).toContain('14,200 files in 20 folders')
  expect(text).toContain('.md 9,460')
  expect(text).toContain('find_documents(folder="archive", from=1)')
  // A token is about four characters.
  expect(text.length / 4).toBeLessThanOrEqual(200)
  const page = await find({ folder: 'archive', from: 1 })
  expect(page).toMatch(
    /^Results 1–\d+ of 14,200; for more call find_documents\(folder="archive", from=\d+\)\.\n/,
  )
  const next = Number(/from=(\d+)\)/.exec(page)?.[1])
  expect(page.split('\n')).toHaveLength(next)
  expect(await find({ folder: 'archive', from: next })).toContain(`Results ${next}–`)
})

it('a page fits also where paths are long', async () => {
  for (let index = 0; index < 30; index++) await folder.write(`long/${'x'.repeat(150)}-${index}.txt`, '')
  const page = await find({ pattern: 'x*', from: 1 })
  expect(page.length).toBeLessThanOrEqual(800)
  expect(page).not.toContain('removed')
  expect(page).toMatch(/from=4\)/)
})

it('stays in the folder', async () => {
  await symlink(tmpdir(), join(folder.root, 'link'))
  expect(await find({})).not.toContain('link')
  expect(await find({ folder: '..' })).toContain('outside the folder')
  expect(await find({ folder: 'link' })).toContain('outside the folder')
  expect(await find({ folder: 'nots' })).toContain('Did you mean notes?')
  expect(await find({ folder: 'a.md' })).toContain('read_document(path="a.md")')
})
