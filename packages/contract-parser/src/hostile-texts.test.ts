import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseContract } from './parse-contract.js'
import { renderContract } from './render-contract.js'
import { scanLines } from './scan-lines.js'
import { findHeadings } from './sections.js'
import type { ContractProblem, StageContract } from './types.js'

const piece = fc.constantFrom(
  '# S',
  '## Inputs',
  '## Outputs',
  '## Tools',
  '## For each',
  '## Process',
  '## Verify',
  '## Audit',
  '## Checkpoints',
  '##Inputs',
  '## Ouputs',
  '| Source | File | Scope |',
  '|---|---|---|',
  '| `a.md` | b | "X" section |',
  '| x',
  '- `a.md` — x (optional)',
  '- Layer 4 (working): ../01-a/output/a.md#x',
  '1. **[Checkpoint]** show',
  '```',
  '~~~~ md',
  '<!--',
  '-->',
  '---',
  '***',
  'module in ../x.md',
  '- parallel: x',
  'search: a, b',
  'none',
  '{a,b}.md',
  '§',
  '- a -> output/',
  '\uFEFF',
  '\u0000',
  '\uD800',
  '\uDC00x',
  '[a](b',
  '`',
  '((',
  '\t- x',
  '   > q',
  '<div>',
  '\u00A0',
  '\u2028',
)
const text = fc
  .tuple(
    fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 30 })), { maxLength: 40 }),
    fc.constantFrom('\n', '\r\n', '\r', '\n\n'),
  )
  .map(([lines, ending]) => lines.join(ending))

function expectInside(markdown: string, problems: readonly ContractProblem[]): void {
  const lines = markdown.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  for (const { line, column, code } of problems) {
    expect(line, code).toBeGreaterThanOrEqual(1)
    expect(line, code).toBeLessThanOrEqual(lines.length)
    expect(column, code).toBeGreaterThanOrEqual(1)
    expect(column, code).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1)
  }
}

const meaning = (contract: StageContract): string =>
  JSON.stringify(contract, (key, value) =>
    key === 'line' || key === 'column' || (key === 'text' && typeof value === 'string') ? undefined : value,
  )

describe('any text at all', () => {
  it('is read without a throw, and every problem lies inside it', () => {
    fc.assert(
      fc.property(text, (markdown) => {
        const { contract, problems } = parseContract(markdown)
        expectInside(markdown, problems)
        expectInside(
          markdown,
          [...contract.inputs, ...contract.outputs].map((entry) => ({
            ...entry,
            code: 'contract/x',
            severity: 'info',
            what: '',
            why: '',
            instead: '',
          })),
        )
      }),
      { numRuns: 2000 },
    )
  })

  it('has lines and headings that are exact slices of it', () => {
    fc.assert(
      fc.property(text, (markdown) => {
        const { lines } = scanLines(markdown)
        for (const line of lines) expect(line.text).toHaveLength(line.end - line.start)
        for (const heading of findHeadings(markdown)) {
          expect(markdown.slice(heading.start)).toMatch(/^ {0,3}#{1,6}/)
          expect(markdown.slice(heading.start, heading.bodyStart)).toContain(heading.text)
        }
      }),
    )
  })

  it('is rendered so that it reads the same again', () => {
    const line = fc.constantFrom(
      '- `a.md`',
      '- ../01-a/output/b.md',
      '- [it](../c.md#d)',
      '- `git log`',
      '- User: (conversation)',
      '| File | Scope |',
      '|---|---|',
      '| `e.md` | "F" section |',
      '',
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.array(line, { maxLength: 4 }), (inputs, outputs) => {
        const markdown = `# S\n\n## Inputs\n${inputs.join('\n')}\n\n## Process\ngo\n\n## Outputs\n${outputs.join('\n')}\n`
        const { contract } = parseContract(markdown)
        const rendered = renderContract(contract)
        expect(meaning(parseContract(rendered).contract)).toBe(meaning(contract))
        expect(renderContract(parseContract(rendered).contract)).toBe(rendered)
      }),
      { numRuns: 500 },
    )
  })

  it('reads the same with other line endings, and keeps them and the mark when it is rewritten', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            piece.filter((one) => !/[\u2028\uFEFF]/.test(one)),
            fc.constant(''),
          ),
          { maxLength: 30 },
        ),
        fc.constantFrom('\r\n', '\r'),
        fc.boolean(),
        (lines, ending, mark) => {
          const plain = parseContract(lines.join('\n'))
          const other = `${mark ? '\uFEFF' : ''}${lines.join(ending)}`
          const read = parseContract(other)
          expect(read.problems).toEqual(plain.problems)
          expect(meaning(read.contract).replaceAll(JSON.stringify(ending).slice(1, -1), '\\n')).toBe(
            meaning(plain.contract),
          )
          const rewritten = renderContract(read.contract, { like: other })
          expect(rewritten.startsWith('\uFEFF')).toBe(mark)
          if (lines.length > 1) expect(rewritten.replaceAll(ending, '')).not.toMatch(/[\r\n]/)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('large texts come back', () => {
  // Quadratic work on any of these runs into the time limit of the test.
  it.each<[string, string]>([
    [
      'a megabyte of noise',
      Array.from({ length: 1_000_000 }, (_, index) =>
        String.fromCharCode(32 + ((index * 7919 + (index >> 3)) % 95)),
      ).join(''),
    ],
    ['a megabyte of lone surrogates', '\uD800'.repeat(1_000_000)],
    ['10,000 tables', '| File | Scope |\n|---|---|\n| `a.md` | Full file |\n\n'.repeat(10_000)],
    ['100,000 headings', '## Inputs\n'.repeat(100_000)],
    ['comments that do not close', 'x <!-- y\n'.repeat(50_000)],
    ['comments in one line', '<!-- -->'.repeat(100_000)],
    [
      'code spans that do not close',
      `- ${Array.from({ length: 1500 }, (_, index) => '`'.repeat(index + 1)).join(' ')}`,
    ],
    ['deep lists', '- '.repeat(50_000)],
    [
      'lists that grow',
      Array.from({ length: 3000 }, (_, index) => `${' '.repeat(index % 200)}- x`).join('\n'),
    ],
    ['one long row', `| a |\n|---|\n|${' x |'.repeat(100_000)}`],
    ['one long path', `- ${'../'.repeat(100_000)}x.md`],
    ['one long line of braces', `- ${'{a,'.repeat(50_000)}`],
    ['dashes', `- a${' - b'.repeat(50_000)}`],
    ['opening brackets', `- ${'['.repeat(100_000)}`],
    ['remarks that do not close', `- ${'(optional '.repeat(20_000)}`],
    ['words about reading', 'read from '.repeat(50_000)],
    ['labels', `Label: ${'a.md and '.repeat(20_000)}`],
    ['brackets in many lines', `- ${'[('.repeat(200)}\n`.repeat(500)],
    ['quotes in a scope', `| File | Scope |\n|---|---|\n| a.md | ${'"x" and '.repeat(20_000)} |`],
  ])('%s', (_, body) => {
    parseContract(body)
    parseContract(`# S\n\n## Inputs\n${body}\n\n## Outputs\n${body}\n\n## Process\n${body}\n`)
  })
})
