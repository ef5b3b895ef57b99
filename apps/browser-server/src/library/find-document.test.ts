import { describe, expect, it } from 'vitest'
import { findDocument, nearestDocuments } from './find-document.js'

const documents = [
  'server-address.md',
  'tool-calling.md',
  'rest-api.html',
  'guide/start.md',
  'guide/Tea Time.md',
  'old/start.md',
  'library/inner.md',
  'notes.md',
  'v1.20/setup.md',
  'notes.html',
  'łódź.md',
].map((path) => ({ path, bytes: 1, modifiedMs: 1 }))
const find = (wording: string) => findDocument(wording, documents)

describe('findDocument', () => {
  it.each([
    ['server-address.md', 'server-address.md'],
    ['Server-Address.MD', 'server-address.md'],
    ['server_address', 'server-address.md'],
    ['server address', 'server-address.md'],
    ['./server-address.md', 'server-address.md'],
    ['../server-address.md', 'server-address.md'],
    ['/library/server-address.md', 'server-address.md'],
    ['library/server-address', 'server-address.md'],
    ['some/other/folder/rest-api.html', 'rest-api.html'],
    ['rest-api.md', 'rest-api.html'],
    ['guide/start', 'guide/start.md'],
    ['guide/tea-time.md', 'guide/Tea Time.md'],
    ['v1.20/setup', 'v1.20/setup.md'],
    ['inner.md', 'library/inner.md'],
    ['library/inner.md', 'library/inner.md'],
    ['notes.md', 'notes.md'],
    ['ŁÓDŹ'.normalize('NFD'), 'łódź.md'],
  ])('%s can only mean %s', (wording, path) => {
    expect(find(wording)).toEqual({ kind: 'one', path })
  })

  it.each([
    ['start.md', ['guide/start.md', 'old/start.md']],
    ['start', ['guide/start.md', 'old/start.md']],
    ['notes', ['notes.md', 'notes.html']],
  ])('%s can mean several', (wording, paths) => {
    expect(find(wording)).toEqual({ kind: 'several', paths })
  })

  it.each([
    '',
    '/',
    'server',
    'tool-caling.md',
    'address.md',
    '.md',
    'site.org/notes.html',
    'www.site.org/rest-api',
  ])('%j means none', (wording) => {
    expect(find(wording)).toEqual({ kind: 'none' })
  })
})

describe('nearestDocuments', () => {
  it('puts the likest names first', () => {
    expect(nearestDocuments('tool-caling.md', documents)[0]).toBe('tool-calling.md')
    expect(nearestDocuments('folder/rest-appi', documents)[0]).toBe('rest-api.html')
  })

  it('names six at most, the first ones when none is like it', () => {
    expect(nearestDocuments('xyzzy', documents)).toEqual(
      documents.slice(0, 6).map((document) => document.path),
    )
    expect(nearestDocuments('', [])).toEqual([])
  })
})
