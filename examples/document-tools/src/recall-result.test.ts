import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeToolFolder, type ToolFolder } from './testing/tool-folder.js'

let folder: ToolFolder
beforeEach(async () => {
  folder = await makeToolFolder({ 'a.txt': 'hello\n' })
})
afterEach(() => folder.remove())

const recall = async (given: unknown) => (await folder.call('recall_result', given)).text

it('gives back what an earlier call returned, also in a later session, though the file has changed', async () => {
  await folder.call('read_document', { path: 'a.txt' })
  await folder.write('a.txt', 'changed\n')
  expect(await recall({ result: 'read_document' })).toMatch(
    /^read_document-[0-9a-f]{8}\.txt: lines 1–2 of 2\na\.txt: lines 1–1 of 1\nhello$/,
  )
})

it('lists what is stored and takes a name of the list', async () => {
  expect(await recall({})).toBe('Nothing is stored: no call has returned anything yet.')
  await folder.call('read_document', { path: 'a.txt' })
  await folder.call('find_documents', {})
  const list = await recall({})
  expect(list).toMatch(/^2 stored, the latest first:\n/)
  const name = /read_document-\w+\.txt/.exec(list)?.[0]
  expect(await recall({ result: name })).toContain('hello')
})

it('pages through a long result without being cut itself', async () => {
  await folder.write(
    'long.txt',
    Array.from({ length: 300 }, (_, index) => `${index + 1} ${'y'.repeat(70)}`).join('\n'),
  )
  await folder.call('read_document', { path: 'long.txt' })
  let from = 1
  const seen: string[] = []
  for (let pages = 0; pages < 40 && from > 0; pages++) {
    const page = await recall({ result: 'read_document', from })
    expect(page.length).toBeLessThanOrEqual(2_000)
    expect(page).not.toContain('removed')
    seen.push(...page.split('\n').slice(1))
    from = Number(/from=(\d+)\)/.exec(page.split('\n')[0] ?? '')?.[1] ?? 0)
  }
  expect(seen).toHaveLength(301)
  expect(seen.at(-1)).toMatch(/^300 y/)
})

it('errors name what there is', async () => {
  expect(await recall({ result: 'run_program' })).toContain('No call has returned anything yet.')
  await folder.call('find_documents', {})
  expect(await recall({ result: 'run_program' })).toContain('There are results of: find_documents.')
  expect(await recall({ result: '../../a.txt' })).toContain('was not recalled')
  expect(await recall({ result: 'find_documents', from: 99 })).toContain('line 99 is not among them')
})
