import { describe, expect, it } from 'vitest'
import type { PageLibrary } from './library/page-library.js'
import { createOpenPage } from './open-page.js'
import { markdownPage } from './page/text-page.js'
import type { PageBackend } from './types.js'

const page = (address: string) => markdownPage({ address, text: `# ${address}`, notes: [] })
const backend: PageBackend = { open: async (url) => page(url.href) }
const library: PageLibrary = {
  open: async (url) => page(url.href),
  openByName: async (wording) =>
    ['tea.md', 'Streaming: one line'].includes(wording) ? page('file:///library/tea.md') : undefined,
  nearest: async () => ['file:///library/tea.md'],
}
const options = { signal: new AbortController().signal }
const withLibrary = createOpenPage({ backend, library })
const withoutLibrary = createOpenPage({ backend })

describe('createOpenPage', () => {
  it.each([
    ['https://site.test/a?b=c', 'https://site.test/a?b=c'],
    [' <https://site.test/a> ', 'https://site.test/a'],
    ['"https://site.test/a"', 'https://site.test/a'],
    ['`https://site.test/a`', 'https://site.test/a'],
    ['[Title (x)](https://site.test/a)', 'https://site.test/a'],
    ['HTTPS://Site.Test', 'https://site.test/'],
    ['file:///library/x.md', 'file:///library/x.md'],
    ['tea.md', 'file:///library/tea.md'],
    ['Streaming: one line', 'file:///library/tea.md'],
  ])('%s opens %s', async (given, address) => {
    expect(await withLibrary(given, options)).toMatchObject({ address, notes: [] })
  })

  it.each([
    ['site.test/page', 'https://site.test/page'],
    ['www.site.test', 'https://www.site.test/'],
    ['//site.test/x', 'https://site.test/x'],
    ['site.test:8080/x', 'https://site.test:8080/x'],
    ['gruß.test/x', 'https://xn--gru-7ka.test/x'],
  ])('%s is read as %s, and says so', async (given, address) => {
    expect(await withLibrary(given, options)).toMatchObject({
      address,
      notes: [`"${given}" was read as ${address}.`],
    })
  })

  it.each([
    '',
    ' ',
    '""',
    'tea',
    'unknown.md',
    'some words',
    'ftp://site.test/x',
    'javascript:alert(1)',
    'data:text/html,x',
    'mailto:a@b.test',
    'localhost:8080/x',
    'chrome://x',
    '-',
  ])('refuses %j and names addresses that there are', async (given) => {
    await expect(withLibrary(given, options)).rejects.toMatchObject({
      code: 'browser/bad-address',
      instead: expect.stringContaining('file:///library/tea.md'),
    })
  })

  it('opens no file without a library', async () => {
    await expect(withoutLibrary('file:///etc/passwd', options)).rejects.toMatchObject({
      code: 'browser/address-refused',
    })
    await expect(withoutLibrary('tea.md', options)).rejects.toMatchObject({ code: 'browser/bad-address' })
  })
})
