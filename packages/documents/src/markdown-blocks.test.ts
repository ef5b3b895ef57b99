import { describe, expect, it } from 'vitest'
import { headingsOf, markdownBlocks, plainInline } from './markdown-blocks.js'

const headings = (markdown: string) =>
  headingsOf(markdownBlocks(markdown)).map((heading) => `${heading.level} ${heading.text}`)

describe('markdownBlocks', () => {
  it('tells headings, paragraphs, items, rows and code apart', () => {
    const markdown = [
      '# Title #',
      'First line',
      'and second.',
      '',
      '- item one',
      '- item [two](x.md)',
      '1. numbered',
      '> quoted',
      '',
      '| Name | Value |',
      '|------|-------|',
      '| a    | 1     |',
      '',
      '```sh',
      '# no heading',
      'run it',
      '```',
      'Last',
      '----',
    ].join('\n')
    expect(markdownBlocks(markdown)).toEqual([
      { kind: 'heading', level: 1, text: 'Title' },
      { kind: 'text', text: 'First line and second.' },
      { kind: 'text', text: 'item one' },
      { kind: 'text', text: 'item two' },
      { kind: 'text', text: 'numbered quoted' },
      { kind: 'text', text: 'Name | Value' },
      { kind: 'text', text: 'a | 1' },
      { kind: 'code', text: '# no heading\nrun it' },
      { kind: 'heading', level: 2, text: 'Last' },
    ])
  })

  it('finds no heading in code, comments and front matter', () => {
    expect(headings('---\ntitle: x\n# y\n---\n# Real\n')).toEqual(['1 Real'])
    expect(headings('<!--\n# hidden\n-->\n# Real')).toEqual(['1 Real'])
    expect(headings('~~~\n# a\n```\n# b\n~~~\n## Real')).toEqual(['2 Real'])
    expect(headings('````\n```\n# a\n```\n````\n## Real')).toEqual(['2 Real'])
    expect(headings('- item\n  ```\n  # a\n  ```\n## Real')).toEqual(['2 Real'])
    expect(headings('```\n# never closed')).toEqual([])
  })

  it('knows what is no heading', () => {
    expect(headings('#hashtag\n\n####### seven\n\nUse C# and F#\n\n---\n\n    # indented code')).toEqual([])
  })

  it('reads underlined headings, also over two lines, and keeps a rule after an empty line a rule', () => {
    expect(headings('Title\n=====\n\nTwo\nlines\n---\n\ntext\n\n---\n')).toEqual(['1 Title', '2 Two lines'])
  })

  it('keeps the # of a name in a heading', () => {
    expect(headings('# C#\n## About F# ##')).toEqual(['1 C#', '2 About F#'])
  })

  it('reads Windows line ends', () => {
    expect(headings('---\r\na: b\r\n---\r\n# One\r\n\r\nTwo\r\n---\r\n')).toEqual(['1 One', '2 Two'])
  })

  it('reads odd input of any length', () => {
    // Each of these took over twenty seconds with a pattern that starts again at every character.
    const odd = [
      '[',
      '![',
      '**',
      '*a ',
      '<!--',
      '<!--\n',
      '# ',
      '| ',
      '> ',
      '---\n',
      '[a](',
      '<https://',
      ' ',
      ' |',
      '1',
      '#',
      '-',
    ]
    for (const part of odd) expect(markdownBlocks(part.repeat(100_000)).length).toBeGreaterThanOrEqual(0)
    expect(markdownBlocks(`# ${' '.repeat(100_000)}x`)).toHaveLength(1)
  })
})

describe('plainInline', () => {
  it.each([
    ['see [the page](a.md) now', 'see the page now'],
    ['![picture](a.png "t") and [ref][1]', 'picture and ref'],
    ['[w](https://x.org/a_(b))', 'w'],
    ['**bold** and *thin* and __strong__', 'bold and thin and strong'],
    ['`keep_alive` and snake_case_name and 2 * 3 * 4', '`keep_alive` and snake_case_name and 2 * 3 * 4'],
    ['<https://example.org/>', 'https://example.org/'],
    ['  a \n b  ', 'a b'],
  ])('%j reads %j', (markdown, text) => {
    expect(plainInline(markdown)).toBe(text)
  })
})
