import { describe, expect, it } from 'vitest'
import { documentAddress, documentPath } from './document-address.js'

const pairs: readonly (readonly [path: string, address: string])[] = [
  ['tools.md', 'file:///library/tools.md'],
  ['guide/start here.md', 'file:///library/guide/start%20here.md'],
  ['łódź/zażółć.html', 'file:///library/łódź/zażółć.html'],
  ['日本語.txt', 'file:///library/日本語.txt'],
  ['100%.md', 'file:///library/100%25.md'],
  ['%2e%2e.md', 'file:///library/%252e%252e.md'],
  ['c#.md', 'file:///library/c%23.md'],
  ['why?.md', 'file:///library/why%3F.md'],
  ['a\\b.md', 'file:///library/a%5Cb.md'],
  ['"q" <t> {x}|^`.md', 'file:///library/%22q%22%20%3Ct%3E%20%7Bx%7D%7C%5E%60.md'],
  ['a+b&c=d;e,f(1).md', 'file:///library/a+b&c=d;e,f(1).md'],
  ['library/inner.md', 'file:///library/library/inner.md'],
  ['line\nbreak\ttab.md', 'file:///library/line%0Abreak%09tab.md'],
]

describe('documentAddress', () => {
  it.each(pairs)('%j is %s', (path, address) => {
    expect(documentAddress(path)).toBe(address)
  })

  it.each(pairs)('%j comes back from its address, also after a URL parser wrote it anew', (path, address) => {
    expect(documentPath(address)).toBe(path)
    expect(documentPath(new URL(address).href)).toBe(path)
  })

  it('is what a URL parser makes of it, except for letters beyond ASCII', () => {
    for (const [, address] of pairs) expect(decodeURI(new URL(address).href)).toBe(decodeURI(address))
  })
})

describe('documentPath', () => {
  it.each([
    ['file:library/tools.md', 'tools.md'],
    ['file:/library/tools.md', 'tools.md'],
    ['file://library/tools.md', 'tools.md'],
    ['FILE:///library/tools.md', 'tools.md'],
    ['file://localhost/library/tools.md', 'tools.md'],
    ['file:///Library/tools.md', 'tools.md'],
    ['file:///library//guide///a.md', 'guide/a.md'],
    ['file:///library/a.md?x=1#part', 'a.md'],
    ['file:///library/100%.md', '100%.md'],
    ['file:///library/', ''],
  ])('%s is %j', (address, path) => {
    expect(documentPath(address)).toBe(path)
  })

  it.each([
    'https://library/tools.md',
    'file:///etc/passwd',
    'file:///library/../etc/passwd',
    'file:///library/%2e%2e/etc/passwd',
    'file:///librarys/tools.md',
    'tools.md',
    '',
  ])('%s is none of the library', (address) => {
    expect(documentPath(address)).toBeUndefined()
  })

  it('keeps an encoded way out as it is, for the contained open to refuse', () => {
    expect(documentPath('file:///library/..%2f..%2fetc/passwd')).toBe('../../etc/passwd')
  })
})
