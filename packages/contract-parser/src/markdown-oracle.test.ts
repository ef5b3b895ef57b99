import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oracleStructure, ownStructure } from './__fixtures__/markdown-oracle.js'

const repository = fileURLToPath(new URL('../../../', import.meta.url))
const corpus = `${process.env.ICM_SHARED ?? `${repository}../shared`}/data/icm-corpus`

/** Front matter blanked, line for line: the oracle does not know it. */
function withoutFrontMatter(markdown: string): string {
  const text = markdown.replace(/^\uFEFF/, '')
  const front = /^---[ \t]*\r?\n[\s\S]*?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text)?.[0] ?? ''
  return front.replace(/[^\n]/g, '') + text.slice(front.length)
}

// Left out: lists that begin at 12 behind other blocks, indented code and lazy lines of quotes, behind which the oracle lets lists begin by rules of its own.
const inline = fc.constantFrom('word', '`code`', '**bold**', 'a.md', 'x # y', '\\#', 'é', '#no')
const text = fc.array(inline, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
const heading = fc
  .tuple(
    fc.integer({ min: 1, max: 7 }),
    fc.constantFrom('', ' ', '   '),
    text,
    fc.constantFrom('', ' #', ' ##  '),
  )
  .map(([level, indent, words, end]) => `${indent}${'#'.repeat(level)} ${words}${end}`)
const fence = fc
  .tuple(
    fc.constantFrom('```', '````', '~~~', '~~~~~'),
    fc.constantFrom('', 'md', ' a b'),
    fc.array(fc.oneof(heading, text, fc.constantFrom('', '```', '~~~', 'a | b'))),
    fc.boolean(),
  )
  .map(([mark, info, body, closed]) => [`${mark}${info}`, ...body, ...(closed ? [mark] : [])].join('\n'))
const listItem = fc
  .tuple(
    fc.constantFrom('- ', '* ', '1. ', '1) ', '  - ', '   * '),
    fc.oneof(text, heading, fc.constant('```')),
    fc.array(fc.constantFrom('  more', '      deep', '', '  ## in the item', '  ```', 'lazy'), {
      maxLength: 3,
    }),
  )
  .map(([mark, first, rest]) => [`${mark}${first}`, ...rest].join('\n'))
const comment = fc.constantFrom(
  '<!-- one line -->',
  '<!--\n## hidden\n-->',
  'text <!-- inline --> text',
  '`<!--` text',
)
const quote = fc.constantFrom('> ## quoted\n', '> text\n')
const rule = fc.constantFrom('***', '* * *', '___')
const cell = fc.constantFrom('a', 'b c', '`x`', 'p \\| q', '**z**', 'é')
const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
  fc
    .tuple(
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('---', ':--', '-', ':-:'),
    )
    .map(([rows, delimiter]) => {
      const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
      const [header = [], ...body] = rows
      return [line(header), line(header.map(() => delimiter)), ...body.map(line)].join('\n')
    }),
)
const block = fc.oneof(
  heading,
  fence,
  listItem,
  comment,
  quote,
  rule,
  text,
  table.map((rows) => `${rows}\n`),
  fc.constant(''),
)

describe('the scanner and a GFM parser', () => {
  it.skipIf(!existsSync(corpus))(
    'agree about every file of the corpus in ICM_SHARED',
    { timeout: 300_000 },
    () => {
      const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.md'),
      )
      expect(files.length).toBeGreaterThan(500)
      for (const file of files) {
        const markdown = withoutFrontMatter(readFileSync(`${corpus}/${file}`, 'utf8'))
        // The oracle takes seconds for the longest files.
        if (markdown.length > 30_000) continue
        const [oracle, own] = [oracleStructure(markdown), ownStructure(markdown)]
        expect(own.headings, file).toEqual(oracle.headings)
        expect(own.fenced, file).toEqual(oracle.fenced)
        expect(own.tables, file).toEqual(oracle.tables.map(withoutHeader).map(withoutDashRows))
      }
    },
  )

  it('agree about headings, fences and tables of generated texts', { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 12 }),
        fc.constantFrom('\n', '\n\n'),
        fc.constantFrom('\n', '\r\n'),
        (blocks, gap, ending) => {
          const markdown = blocks.join(gap).replaceAll('\n', ending)
          const [oracle, own] = [oracleStructure(markdown), ownStructure(markdown)]
          expect({ headings: own.headings, fenced: own.fenced }).toEqual({
            headings: oracle.headings,
            fenced: oracle.fenced,
          })
        },
      ),
      { numRuns: 2000, seed: 4 },
    )
  })

  it('agree about well-formed tables', { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(table, text, heading), { maxLength: 6 }), (blocks) => {
        const markdown = blocks.join('\n\n')
        expect(ownStructure(markdown).tables).toEqual(oracleStructure(markdown).tables.map(withoutHeader))
      }),
      { numRuns: 500 },
    )
  })
})

function withoutHeader(table: string): string {
  return table.split('\n').slice(1).join('\n')
}

/** A row of nothing but dashes is a delimiter row to us, wherever it stands. */
function withoutDashRows(table: string): string {
  return table
    .split('\n')
    .filter((row) => !/^\d+: [-: |]+$/.test(row))
    .join('\n')
}

describe('where contracts need another reading than GFM', () => {
  it.each([
    ['a rule under text is no heading', 'text\n---\n\n# A', { oracle: ['4 1'], own: ['4 1'] }],
    [
      'front matter is none of the text',
      '---\na: 1\n# no\n---\n# A',
      { oracle: ['3 1', '5 1'], own: ['5 1'] },
    ],
    ['a tag alone on its line hides nothing', '<slug>\n## A', { oracle: [], own: ['2 2'] }],
    ['a comment in a list hides headings of no section', '- <!--\n## A', { oracle: ['2 2'], own: ['2 2'] }],
  ])('%s', (_, markdown, { oracle, own }) => {
    expect(oracleStructure(markdown).headings).toEqual(oracle)
    expect(ownStructure(markdown).headings).toEqual(own)
  })

  it('setext headings open no section', () => {
    const markdown = 'Inputs\n======\n\n- a.md'
    expect(ownStructure(markdown).headings).toEqual([])
  })

  it.each([
    ['a row above the delimiter row is a row', '| A |\n| a |\n|---|\n| b |', ['2: a\n4: b'], ['4: b']],
    ['text glued under a table ends it', '| A |\n|---|\n| a |\nglued', ['3: a'], ['3: a\n4: glued']],
    ['a table needs no delimiter row', '| A |\n| a |', ['2: a'], []],
    ['a row of dashes is no entry', '| A |\n|---|\n| -- |', [''], ['3: --']],
  ])('%s', (_, markdown, own, oracle) => {
    expect(ownStructure(markdown).tables).toEqual(own)
    expect(oracleStructure(markdown).tables.map(withoutHeader)).toEqual(oracle)
  })
})
