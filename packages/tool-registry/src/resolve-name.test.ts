import { describe, expect, it } from 'vitest'
import { indexNames, resolveName } from './resolve-name.js'

const index = indexNames([
  { name: 'create_event' },
  { name: 'a_search', otherNames: ['search'] },
  { name: 'b_search', otherNames: ['search'] },
  { name: 'web-server_fetch', otherNames: ['fetch'] },
  { name: 'delete_files' },
  { name: 'read_file' },
  { name: 'readFile' },
])

describe('resolveName', () => {
  it.each([
    ['create_event', 'create_event'],
    ['Create-Event', 'create_event'],
    ['createEvent', 'create_event'],
    ['create_event<|channel|>analysis', 'create_event'],
    ['create_event<|im_end|>\n', 'create_event'],
    ['fetch', 'web-server_fetch'],
    ['web_server_fetch', 'web-server_fetch'],
    ['a_search', 'a_search'],
    ['readFile', 'readFile'],
  ])('%j is %s', (called, name) => {
    expect(resolveName(index, called)?.name).toBe(name)
  })

  it.each(['search', 'files', 'create', 'READFILE', '', '<|x|>', 'constructor', '__proto__'])(
    '%j is no tool',
    (called) => {
      expect(resolveName(index, called)).toBeUndefined()
    },
  )

  it('reports a guess and says nothing about an exact name', () => {
    expect(resolveName(index, 'fetch')?.repair).toBe('The tool name "fetch" was read as "web-server_fetch".')
    expect(resolveName(index, 'read_file')?.repair).toBeUndefined()
  })
})
