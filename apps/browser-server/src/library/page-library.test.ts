import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPageLibrary, type PageLibrary } from './page-library.js'

let base: string
let root: string
let library: PageLibrary
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'icm-pages-'))
  root = join(base, 'my library')
  await mkdir(root)
  library = createPageLibrary(root)
  await put(
    'tea.md',
    '# All about tea\n\nGreen, black. See [coffee](coffee.html#x), [gone](gone.md) and [web](https://x.test/).',
  )
  await put(
    'coffee.html',
    '<title>C</title><h1>Coffee</h1><p>Beans. <a href="tea.md">tea</a> <a href="/deep/a.md">deep</a></p>',
  )
  await put('deep/a.md', '# Deep A')
  await put('plain.txt', 'plain words')
})
afterEach(() => rm(base, { recursive: true }))

const put = async (path: string, text: string) => {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}
const options = { signal: new AbortController().signal }
const open = (address: string) => library.open(new URL(address), options)

describe('open', () => {
  it('opens documents of each kind', async () => {
    expect(await open('file:///library/tea.md')).toMatchObject({
      address: 'file:///library/tea.md',
      title: 'All about tea',
      notes: [],
    })
    expect((await open('file:///library/coffee.html')).text()).toBe('# Coffee\n\nBeans. tea deep')
    expect((await open('file:///library/plain.txt')).text()).toBe('plain words')
    expect(await open('file:library/deep/a.md#part')).toMatchObject({
      address: 'file:///library/deep/a.md',
      notes: [],
    })
  })

  it('opens names that an address must encode', async () => {
    await put('why? 100%.md', 'odd')
    await put('łódź.md', 'boat')
    expect((await open('file:///library/why%3F%20100%25.md')).text()).toBe('odd')
    expect(await open('file:///library/łódź.md')).toMatchObject({ address: 'file:///library/łódź.md' })
  })

  it('gives links as addresses of the library and marks those that lead nowhere', async () => {
    expect((await open('file:///library/tea.md')).links()).toEqual([
      { text: 'coffee', url: 'file:///library/coffee.html', inText: true },
      { text: 'gone', url: 'file:///library/gone.md', inText: true, missing: true },
      { text: 'web', url: 'https://x.test/', inText: true },
    ])
    expect((await open('file:///library/coffee.html')).links().map((link) => link.url)).toEqual([
      'file:///library/tea.md',
      'file:///library/deep/a.md',
    ])
  })

  it('reads an address that is not quite right as the only document it can mean, and says so', async () => {
    for (const address of [
      'file:///library/Tea.MD',
      'file:///library/tea',
      'file:///tea.md',
      'file://tea.md',
      'file:///library/other/tea.md',
    ]) {
      const page = await open(address)
      expect(page, address).toMatchObject({ address: 'file:///library/tea.md' })
      expect(page.notes[0]).toMatch(/was read as file:\/\/\/library\/tea\.md\.$/)
    }
  })

  it('answers a missing document with the nearest ones', async () => {
    await expect(open('file:///library/cofee-beans.md')).rejects.toMatchObject({
      code: 'browser/not-found',
      instead: expect.stringMatching(/^Read (one of: )?file:\/\/\/library\/coffee\.html/),
    })
    for (let number = 0; number < 10; number++) await put(`more-${number}.md`, 'x')
    const error = await open('file:///library/zzzz.md').catch((thrown: unknown) => thrown)
    expect((error as Error).message.match(/file:\/\/\/library\/[^z]/g)).toHaveLength(6)
  })

  it('asks back when an address can mean several documents', async () => {
    await put('deep/tea.html', 'x')
    await expect(open('file:///library/somewhere/tea')).rejects.toMatchObject({
      code: 'browser/bad-address',
      instead: 'Read one of: file:///library/deep/tea.html, file:///library/tea.md.',
    })
  })
})

describe('what lies outside', () => {
  beforeEach(async () => {
    await writeFile(join(base, 'secret.md'), 'top secret')
    await mkdir(join(base, 'my library-evil'))
    await writeFile(join(base, 'my library-evil', 'x.md'), 'top secret')
    await symlink(join(base, 'secret.md'), join(root, 'leak.md'))
    await symlink(base, join(root, 'up'))
    await put('.hidden.md', 'hidden')
    await put('image.png', 'png')
  })

  it.each([
    'file:///etc/passwd',
    'file:///library/../secret.md',
    'file:///library/%2e%2e/secret.md',
    'file:///library/..%2fsecret.md',
    'file:///library/..%2f..%2f..%2f..%2fetc%2fpasswd',
    'file:///library/deep/..%2f..%2fsecret.md',
    'file:///library/..%2fmy library-evil%2fx.md',
    'file:///library/leak.md',
    'file:///library/up/secret.md',
    'file:///library/secret.md%00.md',
    'file://server/share/secret.md',
    'file:///c:/secret.md',
  ])('refuses %s', async (address) => {
    const error = await open(address).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: expect.stringMatching(/^browser\/(address-refused|not-found)$/) })
    expect((error as Error).message).not.toContain('top secret')
    expect((error as Error).message).not.toContain(base)
  })

  it('refuses what is in the library and no document', async () => {
    for (const name of ['.hidden.md', 'image.png']) {
      await expect(open(`file:///library/${name}`)).rejects.toMatchObject({
        code: 'browser/not-found',
        why: expect.stringContaining('no hidden files'),
      })
    }
  })

  it('refuses a folder that became a link', async () => {
    await rm(join(root, 'deep'), { recursive: true })
    await symlink(base, join(root, 'deep'))
    await expect(open('file:///library/deep/secret.md')).rejects.toMatchObject({
      code: 'browser/address-refused',
    })
  })
})

describe('openByName', () => {
  it.each(['tea.md', 'library/tea.md', 'All about tea', 'ALL ABOUT TEA', 'tea'])(
    '%s is one document',
    async (wording) => {
      expect(await library.openByName(wording, options)).toMatchObject({
        address: 'file:///library/tea.md',
        notes: [`"${wording}" was read as file:///library/tea.md.`],
      })
    },
  )

  it('is undefined for what means none, and asks back for a title that two have', async () => {
    expect(await library.openByName('chocolate', options)).toBeUndefined()
    await put('tea-2.md', '# All about tea')
    await expect(library.openByName('All about tea', options)).rejects.toMatchObject({
      code: 'browser/bad-address',
    })
  })
})

it('names the nearest documents', async () => {
  expect((await library.nearest('cofee', options))[0]).toBe('file:///library/coffee.html')
})

it('says that the library is gone without naming its place', async () => {
  await rm(root, { recursive: true })
  await expect(open('file:///library/tea.md')).rejects.toMatchObject({
    code: 'browser/not-found',
    message: expect.not.stringContaining(base),
  })
})

it('says that a document was cut', async () => {
  await put('big.txt', 'x'.repeat(2_000_001))
  expect((await open('file:///library/big.txt')).notes).toEqual([
    'The file is larger than 2 MB; what comes behind was not read.',
  ])
})

it('rethrows the reason of an abort', async () => {
  const reason = { stop: true }
  await expect(
    library.open(new URL('file:///library/tea.md'), { signal: AbortSignal.abort(reason) }),
  ).rejects.toBe(reason)
})
