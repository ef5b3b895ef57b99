import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMemoryEffectStore, createToolRegistry, type Decision } from '@icm/tool-registry'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { undoRename } from './apply-rename.js'
import { openDocumentTools } from './open-document-tools.js'
import { makeToolFolder, type ToolFolder } from './testing/tool-folder.js'

let folder: ToolFolder
beforeEach(async () => {
  folder = await makeToolFolder()
})
afterEach(() => folder.remove())

async function fill(count: number) {
  for (let index = 0; index < count; index++) await writeFile(join(folder.root, `f${index}.txt`), `${index}`)
}
const names = async () => (await readdir(folder.root)).filter((name) => !name.startsWith('.')).sort()
const everyTxt = { pattern: '*.txt', to: '*.md' }

it('over 3 files it runs with its dry run known, and can be undone', async () => {
  await fill(3)
  const outcome = await folder.call('rename_documents', everyTxt)
  expect(outcome).toMatchObject({ status: 'ok', level: 'local', objects: 3 })
  expect(outcome.dryRun).toBe('Would rename 3 files: f0.txt → f0.md, f1.txt → f1.md, f2.txt → f2.md.')
  expect(await names()).toEqual(['f0.md', 'f1.md', 'f2.md'])
  expect(await readFile(join(folder.root, 'f1.md'), 'utf8')).toBe('1')
  const renames = join(folder.root, '.document-tools', 'renames')
  expect(await undoRename(folder.root, join(renames, (await readdir(renames))[0] ?? ''))).toBe(3)
  expect(await names()).toEqual(['f0.txt', 'f1.txt', 'f2.txt'])
})

it('over 3,000 files it waits for a consent that fits this call only and is used once', async () => {
  await fill(3_000)
  const registry = createToolRegistry({
    tools: openDocumentTools({ root: folder.root }),
    session: { trust: 'host' },
    effects: { store: createMemoryEffectStore(), run: 'run-1' },
  })
  const run = (given: unknown, decision?: Decision) =>
    registry.run({ id: 'c', name: 'rename_documents', arguments: given }, decision && { decision })
  const asked = await run(everyTxt)
  expect(asked).toMatchObject({ status: 'needs_consent', level: 'wide', objects: 3_000 })
  if (asked.status !== 'needs_consent') return
  expect(asked.request).toMatchObject({ hasDryRun: true, arguments: everyTxt })
  expect(asked.request.dryRun).toContain('Would rename 3,000 files:')
  expect(asked.request.backup).toMatch(/\.document-tools\/renames\/[0-9a-f]{8}\.json before the first/)
  expect(await names()).not.toContain('f0.md')
  const decision = { callKey: asked.callKey, consentKey: asked.request.consentKey, approved: true }
  expect((await run({ pattern: '*.txt', to: '*.html' }, decision)).status).toBe('needs_consent')
  expect((await run(everyTxt, decision)).status).toBe('ok')
  expect(await names()).toContain('f2999.md')
})

it('10 files ask, 9 do not', async () => {
  await fill(10)
  expect((await folder.call('rename_documents', everyTxt)).status).toBe('needs_consent')
  expect(
    (
      await folder.call(
        'rename_documents',
        { pattern: 'f?.txt', to: 'g?.txt' },
        { registry: { consentAt: 11 } },
      )
    ).status,
  ).toBe('ok')
  expect((await folder.call('rename_documents', { pattern: 'g0.txt', to: 'first.txt' })).level).toBe('point')
})

it('nothing is replaced, and nothing is renamed when one file cannot be', async () => {
  await fill(3)
  await folder.write('f1.md', 'mine')
  const taken = await folder.call('rename_documents', everyTxt)
  expect(taken.text).toContain('A file of that name is there, and f1.txt would replace it.')
  const twice = await folder.call('rename_documents', { pattern: '*.txt', to: 'same.md' })
  expect(twice.text).toContain('Both f0.txt and f1.txt would get that name.')
  expect(await names()).toEqual(['f0.txt', 'f1.md', 'f1.txt', 'f2.txt'])
})

it('errors are worked out from the folder', async () => {
  await fill(2)
  const say = async (given: object) => (await folder.call('rename_documents', given)).text
  expect(await say({ pattern: 'f1.tx', to: 'x.txt' })).toContain('Did you mean pattern="f1.txt"?')
  expect(await say({ pattern: '*.pdf', to: '*.md' })).toContain('the first of 2 files are: f0.txt, f1.txt')
  expect(await say({ pattern: '*.txt', to: '*.txt' })).toContain('is already named')
  expect(await say({ pattern: '*.txt', to: '../*.txt' })).toContain('has no "/"')
  expect(await say({ pattern: 'f1.txt', to: '*.txt' })).toContain(
    'at most as many wildcards as the old one (0)',
  )
  expect(await names()).toEqual(['f0.txt', 'f1.txt'])
})

it('a sandbox session has no such tool', async () => {
  const registry = createToolRegistry({ tools: openDocumentTools({ root: folder.root }) })
  expect(registry.specs().map(({ name }) => name)).toEqual([
    'read_document',
    'find_documents',
    'recall_result',
  ])
})
