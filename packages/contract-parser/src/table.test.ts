import { describe, expect, it } from 'vitest'
import { scanLines } from './scan-lines.js'
import { readTable, splitCells } from './table.js'

const read = (markdown: string) => readTable(scanLines(markdown).lines, 0)
const cells = (markdown: string) =>
  read(markdown)?.table.rows.map((row) => row.cells.map((cell) => cell.text))

describe('splitCells', () => {
  it('gives cells with their columns, with and without outer pipes', () => {
    expect(splitCells(' | a |  b|')).toEqual([
      { text: 'a', column: 4 },
      { text: 'b', column: 9 },
    ])
    expect(splitCells('a|b').map((cell) => cell.text)).toEqual(['a', 'b'])
  })

  it('takes an escaped pipe for text, also in code', () => {
    expect(splitCells('| one \\| two | `a\\|b` |').map((cell) => cell.text)).toEqual(['one | two', '`a|b`'])
  })

  it('keeps empty cells', () => {
    expect(splitCells('| a |  | c |').map((cell) => cell.text)).toEqual(['a', '', 'c'])
  })
})

describe('readTable', () => {
  it('takes rows above the delimiter row, and ragged rows', () => {
    expect(cells('| A | B |\n| a | b |\n|---|:-:|\n| c |\n| d | e | f |')).toEqual([
      ['a', 'b'],
      ['c'],
      ['d', 'e', 'f'],
    ])
  })

  it('ends at text glued under it', () => {
    const table = read('| A |\n|---|\n| a |\nStart each file with a date.')
    expect(table?.table.rows).toHaveLength(1)
    expect(table?.next).toBe(3)
  })

  it('reads a table without outer pipes, and one without a delimiter row', () => {
    expect(cells('A | B\n--- | ---\na | b')).toEqual([['a', 'b']])
    expect(cells('| A | B |\n| a | b |')).toEqual([['a', 'b']])
  })

  it('does not take prose with a pipe, or code, for a table', () => {
    expect(read('a | b is prose\nmore')).toBeUndefined()
    expect(read('```\n| a |\n```')).toBeUndefined()
  })
})
