import { describe, expect, it } from 'vitest'
import { parseContract } from './parse-contract.js'

const read = (body: string) =>
  parseContract(`# S\n\n## Inputs\nnone\n\n## Process\ngo\n\n## Outputs\n${body}\n`)
const outputs = (body: string) => read(body).contract.outputs.map((output) => output.path)

describe('outputs', () => {
  it.each([
    ['- x.md -> output/', ['output/x.md']],
    ['- `x.md` → output', ['output/x.md']],
    ['`site/` (the built site) -> output/', ['output/site/']],
    ['- Summary -> output/x.md', ['output/x.md']],
    ['- x.md', ['output/x.md']],
    ['- output/', ['output/']],
    ['- output/index.json — the index', ['output/index.json']],
    ['- The report: `x.md`', ['output/x.md']],
    ['- Report — `x.md`', ['output/x.md']],
    ['- `[slug]-x.md` and `{date}.md`', ['output/[slug]-x.md', 'output/{date}.md']],
    ['- `stages/01-a/output/x.md`', ['stages/01-a/output/x.md']],
    ['- `../../pieces/<p>/x.md`', ['../../pieces/<p>/x.md']],
    ['`output/b.md` — x', ['output/b.md']],
    ['none', []],
    ['Start each file with a date line.', []],
  ])('%s', (body, expected) => {
    expect(outputs(body)).toEqual(expected)
  })

  it.each([
    ['| Artifact | Location | Format |\n|---|---|---|\n| Report | `output/r.md` | md |', ['output/r.md']],
    ['| Artifact | Location | Format |\n|---|---|---|\n| r.md | output/ | md |', ['output/r.md']],
    ['| File | Location | Purpose |\n|---|---|---|\n| `r.md` | `output/` | last |', ['output/r.md']],
    ['| Artifact | Location |\n|---|---|\n| Final decks | `output/final/` |', ['output/final/']],
    [
      '| Output | Path | Format |\n|---|---|---|\n| Brief | `stages/01/output/b.md` | md |',
      ['stages/01/output/b.md'],
    ],
    ['| File | Contents |\n|---|---|\n| `output/a.md` | `x.md` style |', ['output/a.md']],
    ['| Artifact | Location |\n|---|---|\n| Page | Live URL |', []],
    ['| File | Location |\n|---|---|\n| `a.md` | |', ['output/a.md']],
  ])('%s', (body, expected) => {
    expect(outputs(body)).toEqual(expected)
  })

  it('keeps the note', () => {
    expect(read('- `a.md` — the plan').contract.outputs[0]?.note).toBe('the plan')
    expect(read('- `a.md` -> output/ (generated)').contract.outputs[0]?.note).toBe('generated')
  })

  it('counts a path once and says where it was first', () => {
    const { contract, problems } = read('- a.md\n- a.md -> output/')
    expect(contract.outputs).toHaveLength(1)
    expect(problems).toMatchObject([{ code: 'contract/duplicate-output', line: 11, column: 3 }])
    expect(problems[0]?.what).toContain('line 10')
  })

  it('reports an entry that names no file', () => {
    // Beside a file it is meant so.
    expect(read('- a.md\n- the live page').problems).toEqual([])
    expect(
      read('- the live page').problems.filter((problem) => problem.code !== 'contract/no-outputs'),
    ).toMatchObject([{ code: 'contract/output-not-a-file', severity: 'info', line: 10 }])
  })
})
