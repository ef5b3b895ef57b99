import { describe, expect, it } from 'vitest'
import { createNameTable } from './name-table.js'

describe('createNameTable', () => {
  it('joins server and tool where that is clear', () => {
    const table = createNameTable(['search-server', 'browser-server'])
    expect(table.nameOf({ server: 'search-server', tool: 'search' })).toBe('search-server_search')
    expect(table.find('search-server_search')).toEqual({ server: 'search-server', tool: 'search' })
    expect(table.find('search')).toBeUndefined()
  })

  it('keeps apart what a plain join would merge (F15)', () => {
    const table = createNameTable(['a', 'a_b'])
    const first = table.nameOf({ server: 'a', tool: 'b_c' })
    const second = table.nameOf({ server: 'a_b', tool: 'c' })
    expect(second).toBe('a_b_c')
    expect(first).toMatch(/^a_b_c_[0-9a-f]{8}$/)
    expect(table.find(first)).toEqual({ server: 'a', tool: 'b_c' })
    expect(table.find(second)).toEqual({ server: 'a_b', tool: 'c' })
  })

  it('gives a tool the same name whatever was asked before', () => {
    const addresses = [
      { server: 'a', tool: 'b_c' },
      { server: 'a_b', tool: 'c' },
      { server: 'a', tool: 'weather.get' },
    ]
    const forwards = createNameTable(['a', 'a_b'])
    const backwards = createNameTable(['a_b', 'a'])
    const names = addresses.map((address) => forwards.nameOf(address))
    expect(
      [...addresses]
        .reverse()
        .map((address) => backwards.nameOf(address))
        .reverse(),
    ).toEqual(names)
    expect(addresses.map((address) => forwards.nameOf(address))).toEqual(names)
  })

  it('keeps long twins apart within 64 characters', () => {
    const table = createNameTable(['files'])
    const stem = 'x'.repeat(89)
    const names = [`${stem}1`, `${stem}2`].map((tool) => table.nameOf({ server: 'files', tool }))
    expect(new Set(names).size).toBe(2)
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{64}$/)
  })

  it('replaces characters that models may not send, without merging', () => {
    const table = createNameTable(['my server'])
    const names = ['weather.get', 'weather/get', 'weather_get', 'жар'].map((tool) =>
      table.nameOf({ server: 'my server', tool }),
    )
    expect(new Set(names).size).toBe(4)
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]+$/)
  })

  it('keeps apart tools and servers that differ in case only', () => {
    const table = createNameTable(['Files', 'files'])
    const names = [
      table.nameOf({ server: 'Files', tool: 'Read' }),
      table.nameOf({ server: 'files', tool: 'Read' }),
      table.nameOf({ server: 'files', tool: 'read' }),
    ]
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(3)
  })

  it('is not taken in by a tool that is named like the hashed name of another', () => {
    const honest = createNameTable(['a', 'b'])
    const hashed = honest.nameOf({ server: 'a', tool: 'x.y' })
    const table = createNameTable(['a', 'b'])
    const copy = table.nameOf({ server: 'a', tool: hashed.slice('a_'.length) })
    const real = table.nameOf({ server: 'a', tool: 'x.y' })
    expect(copy).not.toBe(real)
    expect(table.find(real)).toEqual({ server: 'a', tool: 'x.y' })
  })
})
