import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

// Both servers must read an address, a folder and a document alike, and no published package holds that code yet.
const theirs = new URL('../../../search-server/src/documents/', import.meta.url)
const ours = new URL('./', import.meta.url)
const sources = (folder: URL) => readdirSync(folder).filter((name) => !name.includes('.test.'))

it('has the same files as search-server, which has their tests', () => {
  expect(sources(ours)).toEqual(sources(theirs))
  for (const name of sources(ours)) {
    expect(readFileSync(new URL(name, ours), 'utf8'), name).toBe(readFileSync(new URL(name, theirs), 'utf8'))
  }
})
