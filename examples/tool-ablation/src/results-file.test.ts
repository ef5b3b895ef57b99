import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ResultRow } from './results.js'
import { openResultsFile } from './results-file.js'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'results-'))
  path = join(folder, 'deep', 'results.jsonl')
})
afterEach(() => rm(folder, { recursive: true }))

const row = (key: string) => ({ kind: 'request', key }) as ResultRow

it('goes on behind a line that was cut, as often as that happens', async () => {
  const first = await openResultsFile(path)
  expect(first.rows).toEqual([])
  await first.append(row('a'))
  for (const key of ['b', 'c']) {
    await appendFile(path, '{"kind":"request","ke')
    await (await openResultsFile(path)).append(row(key))
  }
  expect((await openResultsFile(path)).rows.map(({ key }) => key)).toEqual(['a', 'b', 'c'])
  expect((await readFile(path, 'utf8')).endsWith('\n')).toBe(true)
})

it('another file is left as it is', async () => {
  path = join(folder, 'notes.txt')
  await writeFile(path, 'my notes\n')
  await expect(openResultsFile(path)).rejects.toThrow(/line 1 is no result/)
  expect(await readFile(path, 'utf8')).toBe('my notes\n')
})
