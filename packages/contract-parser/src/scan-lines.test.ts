import { describe, expect, it } from 'vitest'
import { scanLines, skipCode } from './scan-lines.js'
import { findHeadings } from './sections.js'

const headings = (markdown: string) =>
  findHeadings(markdown).map((heading) => `${heading.line}:${'#'.repeat(heading.level)} ${heading.text}`)

describe('scanLines', () => {
  it('takes headings in code for code: longer, tilde and nested fences, and an info string that looks like a closer', () => {
    const text = [
      '````md',
      '```',
      '## a',
      '```',
      '````',
      '## real',
      '~~~',
      '```',
      '## b',
      '~~~',
      '``` x',
      '## c',
      '``` x',
      '```',
      '## end',
    ]
    expect(headings(text.join('\n'))).toEqual(['6:## real', '15:## end'])
  })

  it.each([
    ['a fence inside a list item', '- x\n\n  ```\n## a\n  ```\n## b', ['4:## a']],
    ['a fence that a list item holds whole', '1. x\n   ```\n   ## a\n   ```\n\n## b', ['6:## b']],
    ['a heading inside a list item', '- x\n\n  ## a\n\n## b', ['5:## b']],
    ['a heading at a bullet', '- ## a\n## b', ['2:## b']],
    ['indented code', 'x\n\n    ## a\n## b', ['4:## b']],
    ['a paragraph that goes on below its item', '- x\nlazy\n  ## a', []],
    ['a closing sequence', '## a ##\n# #b\n## c#', ['1:## a', '2:# #b', '3:## c#']],
    ['no space behind the mark', '##a\n#\n## ', ['2:# ', '3:## ']],
    ['a block quote', '> ## a\n## b', ['2:## b']],
    ['raw HTML', '<pre>\n## a\n</pre>\n## b\n<div>\n## c\n\n## d', ['4:## b', '8:## d']],
    ['a rule under text', 'text\n---\n\n## a', ['4:## a']],
    ['a rule made of stars', '* * *\n## a', ['2:## a']],
    ['a placeholder alone on a line', '<slug>\n## a', ['2:## a']],
  ])('%s', (_, markdown, expected) => {
    expect(headings(markdown)).toEqual(expected)
  })

  it('hides comments and keeps columns', () => {
    const { lines } = scanLines('a <!-- b --> c\n<!-- d\n## e\n--> f')
    expect(lines.map((line) => line.text)).toEqual(['a            c', '      ', '    ', '    f'])
    expect(headings('<!--\n## a\n-->\n## b')).toEqual(['4:## b'])
  })

  it('does not take <!-- in a code span, or one that never closes in its paragraph, for a comment', () => {
    expect(scanLines('`<!-- a` b -->').lines[0]?.text).toBe('`<!-- a` b -->')
    expect(headings('x <!-- y\n\n## a')).toEqual(['3:## a'])
    expect(headings('x <!-- y\n## a\n-->')).toEqual(['2:## a'])
    expect(scanLines('x <!-- y\nz --> w').lines.map((line) => line.text.trim())).toEqual(['x', 'w'])
    expect(scanLines('a <!--> b').lines[0]?.text).toBe('a       b')
  })

  it('knows front matter only at the very beginning and only when it closes', () => {
    expect(headings('---\n# a\n---\n# b')).toEqual(['4:# b'])
    expect(headings('\uFEFF---\r\n# a\r\n...\r\n# b')).toEqual(['4:# b'])
    expect(headings('---\n# a')).toEqual(['2:# a'])
    expect(headings('x\n---\n# a\n---')).toEqual(['3:# a'])
  })

  it('counts lines and offsets with any line ending, BOM and no final newline', () => {
    const text = '\uFEFF# a\r\n\r## b\nc'
    const { lines } = scanLines(text)
    expect(lines.map((line) => [line.number, text.slice(line.start, line.end)])).toEqual([
      [1, '# a'],
      [2, ''],
      [3, '## b'],
      [4, 'c'],
    ])
    expect(scanLines('').lines).toEqual([])
  })

  it('names the line of a fence or comment that never closes', () => {
    expect(scanLines('a\n```\nb').unclosedFence).toBe(2)
    expect(scanLines('a\n\n<!-- b\nc').unclosedComment).toBe(3)
    expect(scanLines('```\n```').unclosedFence).toBeUndefined()
  })
})

it.each([
  ['`a` b', 3],
  ['``a`b`` c', 7],
  ['`a', 1],
])('skipCode(%j) ends at %i', (text, end) => {
  expect(skipCode(text, 0)).toBe(end)
})
