import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDocumentIndex, type DocumentIndex } from './document-index.js'

let base: string
let library: string
let index: DocumentIndex
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'icm-index-'))
  library = join(base, 'library')
  await mkdir(library)
  index = createDocumentIndex(library)
})
afterEach(() => rm(base, { recursive: true }))

const signal = new AbortController().signal
const put = (path: string, text: string) => writeFile(join(library, path), text)
const find = async (...terms: readonly string[]) => {
  await index.refresh({ signal })
  return index.search(terms).map((hit) => String(hit.id))
}

it('ranks a title above a heading above the text', async () => {
  await put('text.md', '# One\n\n## Two\n\nSomething about a kettle and other things.')
  await put('heading.md', '# One\n\n## Kettle\n\nSomething about this and other things.')
  await put('title.md', '# Kettle\n\n## Two\n\nSomething about this and other things.')
  expect(await find('kettle')).toEqual(['title.md', 'heading.md', 'text.md'])
})

it('ranks a document with all words above one with many uses of one', async () => {
  await put('both.md', '# A\n\nThe default port.')
  await put('one.md', `# B\n\n${'port '.repeat(30)}`)
  expect((await find('default', 'port'))[0]).toBe('both.md')
})

it('finds other forms of a word, small slips of the pen and words of the file name', async () => {
  await put('brew-tea.md', '# Installing\n\nQuantisation licences Zażółć')
  for (const term of ['install', 'installed', 'quantization', 'licence', 'zazolc', 'brew']) {
    expect(await find(term), term).toEqual(['brew-tea.md'])
  }
  expect(await find('coffee')).toEqual([])
})

it('reads HTML without its chrome', async () => {
  await put(
    'page.html',
    '<nav>menuword</nav><script>scriptword</script><h1>Title</h1><p>bodyword</p><footer>footword</footer>',
  )
  expect(await find('bodyword')).toEqual(['page.html'])
  for (const hidden of ['menuword', 'scriptword', 'footword']) expect(await find(hidden)).toEqual([])
})

it('takes up new, changed, moved and removed documents', async () => {
  await put('a.md', '# A\n\nalpha')
  expect(await find('alpha')).toEqual(['a.md'])
  await put('b.md', '# B\n\nbeta')
  expect(await find('beta')).toEqual(['b.md'])
  await put('a.md', '# A\n\ngamma instead')
  expect(await find('alpha')).toEqual([])
  expect(await find('gamma')).toEqual(['a.md'])
  await rename(join(library, 'b.md'), join(library, 'c.md'))
  expect(await find('beta')).toEqual(['c.md'])
  await rm(join(library, 'c.md'))
  expect(await find('beta')).toEqual([])
  expect(index.documents().map((document) => document.path)).toEqual(['a.md'])
})

it('notices a change that keeps the size, by its time', async () => {
  await put('a.md', 'alpha')
  await find('alpha')
  await put('a.md', 'omega')
  await utimes(join(library, 'a.md'), new Date(), new Date(Date.now() + 5_000))
  expect(await find('omega')).toEqual(['a.md'])
})

it('reads a document that did not change only once', async () => {
  await put('a.md', 'alpha')
  await find('alpha')
  // Same size and time, other content: only a second reading could see it.
  const time = new Date(1_000_000_000_000)
  await utimes(join(library, 'a.md'), time, time)
  await find('alpha')
  await put('a.md', 'omega')
  await utimes(join(library, 'a.md'), time, time)
  expect(await find('alpha')).toEqual(['a.md'])
})

it('leaves out what leads outside', async () => {
  await writeFile(join(base, 'secret.md'), 'topsecret')
  await symlink(join(base, 'secret.md'), join(library, 'leak.md'))
  await put('a.md', 'alpha')
  expect(await find('topsecret')).toEqual([])
})

it('serves searches that come while it is being built', async () => {
  for (let number = 0; number < 30; number++) await put(`${number}.md`, `# Doc ${number}\n\nalpha`)
  await Promise.all([index.refresh({ signal }), index.refresh({ signal }), index.refresh({ signal })])
  expect(index.documents()).toHaveLength(30)
  expect(index.search(['alpha'])).toHaveLength(30)
})

it('goes on after an abort, and rethrows the reason', async () => {
  await put('a.md', 'alpha')
  const reason = { stop: true }
  await expect(index.refresh({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(await find('alpha')).toEqual(['a.md'])
})

it('reports progress while it reads', async () => {
  await put('a.md', 'alpha')
  const seen: unknown[] = []
  await index.refresh({ signal, onProgress: (progress) => seen.push(progress) })
  expect(seen).toEqual([{ done: 0, total: 1, note: 'indexing the library' }])
})

it('says that the library is gone', async () => {
  await rm(library, { recursive: true })
  await expect(index.refresh({ signal })).rejects.toMatchObject({ code: 'search/library-missing' })
})

it('names words near to one that it does not know', async () => {
  await put('a.md', 'kettle teapot')
  await index.refresh({ signal })
  expect(index.knows('kettle')).toBe(true)
  expect(index.knows('xyzzy')).toBe(false)
  expect(index.nearWords('keptle')).toEqual(['kettle'])
})
