import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { maxDocumentBytes, readDocument } from './read-document.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icm-read-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('reads a document whole', async () => {
  await writeFile(join(folder, 'a.md'), '# Zażółć\n')
  expect(await readDocument(join(folder, 'a.md'))).toEqual({ text: '# Zażółć\n', cut: false })
  await writeFile(join(folder, 'empty.md'), '')
  expect(await readDocument(join(folder, 'empty.md'))).toEqual({ text: '', cut: false })
})

it('reads the first two million bytes of a larger one and says so', async () => {
  await writeFile(join(folder, 'big.txt'), 'ż'.repeat(maxDocumentBytes))
  const { text, cut } = await readDocument(join(folder, 'big.txt'))
  expect(cut).toBe(true)
  expect(text).toBe('ż'.repeat(maxDocumentBytes / 2))
})

it('takes the encoding of an HTML document from its meta element', async () => {
  const latin2 = Buffer.from([0x5a, 0x61, 0xbf, 0xf3, 0xb3, 0xe6])
  await writeFile(join(folder, 'old.html'), Buffer.concat([Buffer.from('<meta charset=iso-8859-2>'), latin2]))
  expect((await readDocument(join(folder, 'old.html'))).text).toContain('Zażółć')
})

it('does not follow a link', async () => {
  await writeFile(join(folder, 'a.md'), 'x')
  await symlink('a.md', join(folder, 'link.md'))
  await expect(readDocument(join(folder, 'link.md'))).rejects.toMatchObject({ code: 'ELOOP' })
})

it.skipIf(process.platform === 'win32')('does not wait for a pipe', async () => {
  execFileSync('mkfifo', [join(folder, 'pipe.md')])
  expect(await readDocument(join(folder, 'pipe.md'))).toEqual({ text: '', cut: false })
})
