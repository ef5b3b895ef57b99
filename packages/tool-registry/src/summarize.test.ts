import { describe, expect, it } from 'vitest'
import { createToolRegistry } from './create-registry.js'
import { defineTool } from './define-tool.js'
import { pageItems, summarizeFileList, summarizeJson, summarizeTable } from './summarize.js'

const types = ['md', 'txt', 'pdf', 'csv', 'docx', 'jpg', 'png', 'json', 'html', 'xml']
const files = Array.from({ length: 14_200 }, (_, index) => {
  const folder = `archive/${2_000 + (index % 25)}/box-${index % 180}`
  return `${folder}/document-${index}.${types[index % types.length]}`
})

describe('summarizeFileList', () => {
  it('puts 14,200 files in about 200 tokens, with true counts and the next call', () => {
    const next = 'To see single files call find_documents(pattern="*.md", folder="archive/2003").'
    const text = summarizeFileList(files, next)
    expect(text.length / 4).toBeLessThanOrEqual(220)
    expect(text).toContain('14,200 files in 900 folders.')
    expect(text).toContain('By type: .csv 1,420, .docx 1,420')
    expect(text).toContain('2 other types 2,840.')
    expect(text).toMatch(/By folder: archive\/2000\/ 568, .* 17 other folders 9,656\./)
    expect(text.endsWith(next)).toBe(true)
  })

  it('counts what is in no folder, has no type, or is nothing', () => {
    expect(summarizeFileList(['a.md', 'LICENSE', '.env', 'sub/b.md'])).toBe(
      '4 files in 2 folders.\nBy type: .md 2, without type 2.\nBy folder: ./ 3, sub/ 1.\nFor example: a.md, sub/b.md.',
    )
    expect(summarizeFileList([])).toContain('0 files in 0 folders.')
  })

  it('stands for a long result of a tool', async () => {
    const tool = defineTool({
      name: 'list_files',
      description: 'Lists files.',
      input: { type: 'object', properties: {} },
      output: 'trusted',
      limit: 900,
      blastRadius: () => 0,
      summarize: (text) => summarizeFileList(text.split('\n'), 'For some of them call find_files.'),
      run: () => files.join('\n'),
    })
    const registry = createToolRegistry({ tools: [tool], session: { trust: 'host' } })
    const outcome = await registry.run({ id: '1', name: 'list_files', arguments: {} })
    expect(outcome.text).toMatch(/^14,200 files[\s\S]*For some of them call find_files\.$/)
    expect(outcome).toMatchObject({ trimmedCharacters: files.join('\n').length - outcome.text.length })
  })
})

describe('summarizeJson', () => {
  it('gives the shape', () => {
    const rows = Array.from({ length: 300 }, (_, id) => ({
      id,
      name: 'x',
      tags: ['a'],
      at: null,
      in: { deep: true },
    }))
    expect(summarizeJson(JSON.stringify({ total: 300, rows }))).toMatch(
      /^JSON, [\d,]+ characters\. Shape: \{total: number, rows: list of 300 × \{id: number, name: string, tags: list of 1 × string, at: null, in: \{deep: boolean\}\}\}$/,
    )
  })
  it.each(['no json', '{"cut": ', '7', ''])('is nothing for %j', (text) => {
    expect(summarizeJson(text)).toBeUndefined()
  })
})

describe('summarizeTable', () => {
  it.each([
    ['commas', 'id,name\n1,ann\n2,bob\n3,cy', '1,ann', '3,cy'],
    [
      'a markdown table',
      '| id | name |\n|---|---|\n| 1 | ann |\n| 2 | bob |\n| 3 | cy |',
      '| 1 | ann |',
      '| 3 | cy |',
    ],
  ])('gives header, rows and count: %s', (_, text, first, last) => {
    expect(summarizeTable(text)).toBe(
      `Table of 3 rows and 2 columns: id, name.\nFirst row: ${first}\nLast row: ${last}`,
    )
  })
  it.each(['One, two.\nThree words here\nAnd, then, more\nEnd', 'a\nb\nc', ''])(
    'is nothing for %j',
    (text) => {
      expect(summarizeTable(text)).toBeUndefined()
    },
  )
})

describe('pageItems', () => {
  const items = Array.from({ length: 45 }, (_, index) => `document ${index + 1}`)
  const nextCall = (from: number) => `find_documents(query="tea", from=${from})`
  it('says which of how many, and how to go on', () => {
    const text = pageItems(items, { from: 21, count: 20, total: 340, nextCall })
    expect(text).toMatch(
      /^Results 21–40 of 340; for more call find_documents\(query="tea", from=41\)\.\ndocument 21\n/,
    )
    expect(pageItems(items, { from: 41, count: 20, nextCall })).toMatch(
      /^Results 41–45 of 45\.\ndocument 41\n/,
    )
    expect(pageItems(items, { from: 46, count: 20, nextCall })).toBe('No results from 46 on; there are 45.')
  })
})
