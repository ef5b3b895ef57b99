import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeToolFolder, type ToolFolder } from './testing/tool-folder.js'

let folder: ToolFolder
beforeEach(async () => {
  folder = await makeToolFolder({ 'notes/plan.md': 'one\ntwo\nthree\n' })
})
afterEach(() => folder.remove())

it('a short file comes whole, and other names of parameters are understood', async () => {
  const outcome = await folder.call('read_document', { filePath: 'notes/plan.md' })
  expect(outcome).toMatchObject({ status: 'ok', level: 'none' })
  expect(outcome.text).toBe('notes/plan.md: lines 1–3 of 3\none\ntwo\nthree')
})

it('of 2 MB come head and tail, what was cut and the call for the middle, and that call gives it', async () => {
  const line = (number: number) => `line ${number} ${'x'.repeat(40)}`
  const lines = Array.from({ length: 40_000 }, (_, index) => line(index + 1))
  await folder.write('log.txt', `${lines.join('\n')}\n`)
  const { text } = await folder.call('read_document', { path: 'log.txt' })
  expect(text.length).toBeLessThanOrEqual(4_000)
  expect(text).toMatch(/^log\.txt: lines 1–40000 of 40000\nline 1 /)
  expect(text.endsWith(lines.at(-1) ?? '?')).toBe(true)
  const notice = /\[… (\d+) characters removed here\. For this part call read_document\((.*)\)\. …\]/.exec(
    text,
  )
  expect(Number(notice?.[1])).toBeGreaterThan(1_900_000)
  const from = Number(/from=(\d+)/.exec(notice?.[2] ?? '')?.[1])
  expect(text).toContain(line(from - 1))
  expect(text).not.toContain(`\n${line(from)}\n`)
  const next = await folder.call('read_document', { path: 'log.txt', from, lines: 20 })
  expect(next.text.split('\n')).toEqual([
    `log.txt: lines ${from}–${from + 19} of 40000`,
    ...lines.slice(from - 1, from + 19),
  ])
})

it('one line of 2 MB can be asked for in parts as well', async () => {
  await folder.write('data.json', `"${'0123456789'.repeat(200_000)}"`)
  const { text } = await folder.call('read_document', { path: 'data.json' })
  const from = Number(/from=(\d+)/.exec(text)?.[1])
  expect(from).toBeGreaterThan(1)
  const next = await folder.call('read_document', { path: 'data.json', from, lines: 1 })
  expect(next.text).toMatch(/^data\.json: lines \d+–\d+ of 4001\n[0-9]{500}$/)
})

it('a part that is cut names the next part by its place in the file', async () => {
  await folder.write(
    'log.txt',
    Array.from({ length: 500 }, (_, index) => `${index + 1} ${'x'.repeat(90)}`).join('\n'),
  )
  const { text } = await folder.call('read_document', { path: 'log.txt', from: 200, lines: 100 })
  const from = Number(/from=(\d+)/.exec(text)?.[1])
  expect(from).toBeGreaterThan(210)
  expect(from).toBeLessThan(240)
  expect(text).toContain(`\n${from - 1} x`)
})

it('errors are worked out from the folder', async () => {
  const missing = await folder.call('read_document', { path: 'notes/pln.md' })
  expect(missing).toMatchObject({ status: 'error' })
  expect(missing.text).toContain('Did you mean notes/plan.md?')
  expect((await folder.call('read_document', { path: 'notes' })).text).toContain(
    'It is a folder and has: plan.md.',
  )
  expect((await folder.call('read_document', { path: 'notes/plan.md', from: 9 })).text).toContain(
    'It has 3 lines.',
  )
  await folder.write('picture.png', new Uint8Array([137, 80, 78, 71, 0, 0, 1]))
  expect((await folder.call('read_document', { path: 'picture.png' })).text).toContain('no text')
})

it('nothing outside is read, also not through a link', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'outside-'))
  await writeFile(join(outside, 'secret.txt'), 'secret')
  await symlink(outside, join(folder.root, 'link'))
  for (const path of ['../secret.txt', join(outside, 'secret.txt'), 'link/secret.txt']) {
    const outcome = await folder.call('read_document', { path })
    expect(outcome.status).toBe('error')
    expect(outcome.text).toContain('outside the folder')
  }
  await rm(outside, { recursive: true })
})
