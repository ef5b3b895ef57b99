import { describe, expect, it } from 'vitest'
import { parseContract } from './parse-contract.js'

const contract = (body: string, section = 'Inputs') =>
  parseContract(`# S\n\n## ${section}\n${body}\n\n## Process\ngo\n`).contract
const inputs = (body: string) => contract(body).inputs

describe('optional inputs', () => {
  it.each([
    '- `a.md` (if exists)',
    '- `a.md` — optional',
    '- `a.md`, if it exists',
    '- `a.md` [optional]',
    '- Optional: `a.md`',
    '- **Optional** – `a.md`',
    '- (optional) `a.md`',
    '- *if there is one:* `a.md`',
    '- `a.md` — when available, the notes of last time',
    '- `a.md` (jeśli istnieje)',
    '- `a.md` (falls vorhanden)',
    '- `a.md` (si existe)',
    '- `a.md` (있으면)',
    '| File | Optional? |\n|---|---|\n| a.md | yes |',
    '| File | Needed? |\n|---|---|\n| a.md | No |',
    '| File | Notes |\n|---|---|\n| a.md | Optional |',
    '| File | Notes |\n|---|---|\n| a.md | for tone; if present |',
  ])('%j', (body) => {
    expect(inputs(body)).toMatchObject([{ kind: 'file', path: 'a.md', required: false }])
  })

  it.each([
    '- `a.md` — the optional fields',
    '- `a.md` — says what to do if there is no budget',
    '- `optional.md`',
    '- Options: `a.md`',
    '| File | Optional |\n|---|---|\n| a.md | no |',
    '| File | Needed? |\n|---|---|\n| a.md | ✅ |',
  ])('not: %j', (body) => {
    expect(inputs(body)).toMatchObject([{ kind: 'file', required: true }])
  })
})

describe('parts of files', () => {
  it.each([
    ['- ../a.md:10-20', { kind: 'lines', from: 10, to: 20 }],
    ['- `a.md:7`', { kind: 'lines', from: 7, to: 7 }],
    ['- [a](a.md#L3-L9)', { kind: 'lines', from: 3, to: 9 }],
    ['- `a.md` lines 1-2', { kind: 'lines', from: 1, to: 2 }],
    ['- `a.md` – first 20 lines', { kind: 'lines', from: 1, to: 20 }],
    ['- `a.md` — "Tone" section', { kind: 'names', names: ['Tone'] }],
    ['- a.md (section "Rules")', { kind: 'names', names: ['Rules'] }],
    ['- `a.md` § Facts and § Sources', { kind: 'names', names: ['Facts', 'Sources'] }],
    ['- `a.md` – "a quotation", as they said', { kind: 'full' }],
    ['| File | How much |\n|---|---|\n| a.md | "Tone" |', { kind: 'names', names: ['Tone'] }],
  ])('%j', (body, scope) => {
    expect(inputs(body)).toMatchObject([{ kind: 'file', scope }])
    expect(inputs(body)[0]?.path).toMatch(/a\.md$/)
  })
})

describe('ways to write an entry', () => {
  it('labels in lines without a bullet, also with CRLF', () => {
    const body =
      'Brief: brief.md\r\nVoice: ../voice.md\r\nExamples: `a.md` and `b.md`\r\n\r\nNote: see the chapters of x.md first.'
    expect(inputs(body).map(({ label, path }) => [label, path])).toEqual([
      ['Brief', 'brief.md'],
      ['Voice', '../voice.md'],
      ['Examples', 'a.md'],
      ['Examples', 'b.md'],
    ])
    expect(contract('Result: output/result.md', 'Outputs').outputs).toMatchObject([
      { path: 'output/result.md' },
    ])
  })

  it('layers in a remark, also of the entry above', () => {
    expect(inputs('- Voice (Layer 3): `a.md`')).toMatchObject([{ path: 'a.md', layer: 3 }])
    expect(inputs('- Material (L4)\n  - `a.md`\n  - b.md')).toMatchObject([{ layer: 4 }, { layer: 4 }])
  })

  it('arrows either way, emoji, bold labels', () => {
    const body = '* **Tone** → `a.md`\n* Facts ← `b.md`\n* 📎 **Style:** [c](c.md)'
    expect(inputs(body).map((input) => input.path)).toEqual(['a.md', 'b.md', 'c.md'])
  })

  it('columns of other names; a label column that holds no path is a label', () => {
    const path = (head: string, row: string) =>
      inputs(`| ${head} |\n|${'---|'.repeat(head.split('|').length)}\n| ${row} |`).map((input) => input.path)
    expect(path('# | Document | Path', '1 | Idea | a.md')).toEqual(['a.md'])
    expect(path('What | Where to look', 'Brief | `a.md`')).toEqual(['a.md'])
    expect(path('Źródło | Plik | Zakres', 'Wejście | `wejście.md` | całość')).toEqual(['wejście.md'])
    const out = contract('| Deliverable | Saved to |\n|---|---|\n| Plan | output/plan.md |', 'Outputs')
    expect(out.outputs.map((output) => output.path)).toEqual(['output/plan.md'])
  })

  it.each([
    'none',
    '(none)',
    '- None.',
    'N/A',
    '—',
    '*None*',
    'No tools needed.',
    'none – the text is enough',
  ])('no tools: %j', (body) => {
    const { contract: read, problems } = parseContract(`# S\n\n## Tools\n${body}\n\n## Process\ngo\n`)
    expect(read.tools).toEqual([])
    expect(problems.filter((problem) => problem.code === 'contract/tool-line')).toEqual([])
  })
})

describe('what a line above its entries says about them', () => {
  it('layer, optional, never: in headings, bold lines and lines that end with a colon', () => {
    const body = [
      '### Layer 3 (reference)\n- a.md\n- b.md (Layer 4)',
      '**Load if the brief asks for it:**\n- c.md',
      'Never load:\n- d.md',
      '#### Working files\n| File | Why |\n|---|---|\n| e.md | x |',
      '**Do not read** `f.md`.\n- Ignore `g.md`\n- ~~`h.md`~~ `i.md`',
    ].join('\n\n')
    const read = inputs(body).filter((input) => input.kind === 'file')
    expect(read.map(({ path, layer, required }) => [path, layer, required])).toEqual([
      ['a.md', 3, true],
      ['b.md', 4, true],
      ['c.md', undefined, false],
      ['e.md', undefined, true],
      ['i.md', undefined, true],
    ])
  })
})

it.each([
  'Load these when the stage starts; all are required:',
  '**Read if you are new here**',
  '### Inputs of every run',
])('nothing is optional below %j', (line) => {
  expect(inputs(`${line}\n\n- a.md`)).toMatchObject([{ path: 'a.md', required: true }])
})

describe('sections of sentences', () => {
  it('inputs and outputs that are marked as code, when there is no list', () => {
    const body = 'Read `../01-a/output/a.md` and [the voice](../voice.md).\nDo not read `b.md`.'
    expect(inputs(body).map((input) => input.path)).toEqual(['../01-a/output/a.md', '../voice.md'])
    const outputs = (text: string) => contract(text, 'Outputs').outputs.map((output) => output.path)
    expect(outputs('A plan (`plan.md`) with:\n\n- goals\n- steps in `code style`')).toEqual([
      'output/plan.md',
    ])
    expect(outputs('Save the text to `output/text.md`.')).toEqual(['output/text.md'])
    expect(outputs('- `output/` as `x.md`')).toEqual(['output/x.md'])
    expect(outputs('| Artifact | Location |\n|---|---|\n| Notes | `output/` as `[slug]-x.md` |')).toEqual([
      'output/[slug]-x.md',
    ])
  })
})

describe('other names of sections', () => {
  it('count only in a contract without the name itself', () => {
    const other = parseContract('# S\n\n## Input files\n- a.md\n\n## Steps\ngo\n\n## Deliverables\n- b.md\n')
    expect(other.problems).toEqual([])
    expect(other.contract).toMatchObject({
      process: 'go',
      inputs: [{ path: 'a.md' }],
      outputs: [{ path: 'output/b.md' }],
    })
    const both = parseContract('# S\n\n## Process\ngo\n\n## Steps\nmore\n').contract
    expect([both.process, both.otherSections.map((section) => section.heading)]).toEqual(['go', ['Steps']])
  })
})

describe('tables of tools', () => {
  const read = (body: string) => parseContract(`# S\n\n## Tools\n${body}\n\n## Process\ngo\n`)
  it('with a column for the server are read; others are one problem', () => {
    const table = '| Server | Tools |\n|---|---|\n| `search-server` | search, fetch |\n| notes | * |'
    expect(read(table).contract.tools).toMatchObject([
      { server: 'search-server', tools: ['search', 'fetch'] },
      { server: 'notes', tools: 'all' },
    ])
    const { contract: other, problems } = read('| Tool | Why |\n|---|---|\n| web search | to find |')
    expect(other.tools).toEqual([])
    expect(problems.filter(({ code }) => code === 'contract/tool-line')).toMatchObject([{ line: 4 }])
  })
})
