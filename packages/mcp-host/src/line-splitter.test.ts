import { describe, expect, it } from 'vitest'
import { splitLines } from './line-splitter.js'

function split(chunks: readonly string[], maxCharacters = 100) {
  const lines: string[] = []
  const splitter = splitLines(maxCharacters, (line) => lines.push(line))
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return lines
}

describe('splitLines', () => {
  it.each([
    [['a\nb\n'], ['a', 'b']],
    [
      ['a', 'b\nc'],
      ['ab', 'c'],
    ],
    [
      ['a\r\nb\r', '\n'],
      ['a', 'b'],
    ],
    [['\n\n'], ['', '']],
    [[], []],
  ])('%j gives %j', (chunks, lines) => {
    expect(split(chunks)).toEqual(lines)
  })

  it('hands on the beginning of a line that is too long, once, and goes on after it', () => {
    expect(split(['abcdef', 'ghi', 'jkl\nnext\n'], 4)).toEqual(['abcd', 'next'])
  })
})
