import { describe, expect, it } from 'vitest'
import { parseContract } from './parse-contract.js'

const inputs = (body: string) =>
  parseContract(`# S\n\n## Inputs\n${body}\n\n## Process\ngo\n`).contract.inputs
const files = (body: string) =>
  inputs(body).map((input) => (input.kind === 'file' ? input.path : `(${input.kind})`))

describe('bullets', () => {
  it('reads the canonical form with its place', () => {
    expect(inputs('- Layer 4 (working): input.md')).toEqual([
      {
        kind: 'file',
        path: 'input.md',
        layer: 4,
        required: true,
        scope: { kind: 'full', text: '' },
        text: 'Layer 4 (working): input.md',
        line: 4,
        column: 3,
      },
    ])
  })

  it.each([
    ['- L4 (working): `a.md` – why', 4, 'why'],
    ['- **L3** `a.md` — why', 3, 'why'],
    ['- Layer 3: a.md   # why', 3, 'why'],
    ['- `a.md`: why', undefined, 'why'],
    ['- `a.md` -- why', undefined, 'why'],
  ])('%s', (line, layer, note) => {
    expect(inputs(line)[0]).toMatchObject({ kind: 'file', path: 'a.md', note, ...(layer ? { layer } : {}) })
    expect(inputs(line)[0]?.layer).toBe(layer)
  })

  it('reads labels, links, paths on a second line and several paths', () => {
    expect(inputs('- Tone: [tone](../x.md#rules)')[0]).toMatchObject({
      label: 'Tone',
      path: '../x.md',
      scope: { kind: 'slug', slug: 'rules' },
    })
    expect(files('- House rules (when the change touches copy):\n  ../../shared/house.md')).toEqual([
      '../../shared/house.md',
    ])
    expect(files('- Voice — `voice.md`')).toEqual(['voice.md'])
    expect(files('- `a.md`, `b.md`; `c.md` and d.md + `e.md` — five')).toEqual([
      'a.md',
      'b.md',
      'c.md',
      'd.md',
      'e.md',
    ])
    expect(files('* a.md, b.md and c/d.md')).toEqual(['a.md', 'b.md', 'c/d.md'])
    expect(files('1. `a.md`\n2. `b.md`')).toEqual(['a.md', 'b.md'])
    expect(files('- [ ] `a.md`\n- [x] b.md')).toEqual(['a.md', 'b.md'])
  })

  it('knows the sibling of a bare name behind a path', () => {
    const [first, second, third] = inputs('- `../01/output/a.md` and `b.md`\n- `c.md`')
    expect(first?.siblingOf).toBeUndefined()
    expect(second?.siblingOf).toBe('../01/output/a.md')
    expect(third?.siblingOf).toBeUndefined()
  })

  it('gives nested items the layer and label above them, and skips remarks below an entry', () => {
    const read = inputs(
      '- Layer 3 (reference):\n  - `a.md`\n  - `b.md`\n- `c.md`\n  - only the first part matters',
    )
    expect(read.map((input) => [input.path, input.layer])).toEqual([
      ['a.md', 3],
      ['b.md', 3],
      ['c.md', undefined],
    ])
  })

  it('reads path lines of a paragraph, not wrapped prose', () => {
    expect(files('`a.md` (first)\n../b.md   # second')).toEqual(['a.md', '../b.md'])
    expect(files('Load only these. If the brief\n`a.md` is empty, stop and ask.')).toEqual([])
    expect(files('none')).toEqual([])
  })
})

describe('entries that are no files', () => {
  it.each([
    ['- User: (conversation)', 'person'],
    ['- Layer 4 (working): human answers', 'person'],
    ['- `git log --oneline`', 'command'],
    ['- (none)', 'none'],
    ['- none', 'none'],
    ['- (see `assembly.md`)', 'prose'],
    ['- the domain glossary, README, or docs', 'prose'],
    ['- Before writing, read ../x.md in full.', 'prose'],
  ])('%s is %s', (line, kind) => {
    const [entry] = inputs(line)
    expect(entry).toMatchObject({ kind })
    expect(entry?.path).toBeUndefined()
    expect(entry?.remark).not.toBe('')
  })

  it('reports what lies outside as external', () => {
    expect(inputs('- `~/notes.md`\n- https://x.org/a.md').map((input) => [input.kind, input.path])).toEqual([
      ['external', '~/notes.md'],
      ['external', 'https://x.org/a.md'],
    ])
  })

  it('leaves out a path in a remark', () => {
    expect(files('- `a.md` (or `b.md` if short)')).toEqual(['a.md'])
  })
})

describe('optional marks', () => {
  it.each([
    '- `a.md` (if exists)',
    '- `a.md` (optional)',
    '- Brief (if applicable): `a.md`',
    '- `a.md` — **only if** the tone matters',
    '- `a.md` — the old draft, if any',
  ])('%s', (line) => {
    expect(inputs(line)[0]).toMatchObject({ path: 'a.md', required: false })
  })

  it('takes a Required column before any mark', () => {
    const table =
      '| File | Required | Why |\n|---|---|---|\n| a.md | ✅ | x, if any |\n| b.md | ❌ | |\n| c.md | | (optional) |'
    expect(inputs(table).map((input) => input.required)).toEqual([true, false, false])
  })
})

describe('tables', () => {
  const row = (header: string, cells: string) => inputs(`| ${header} |\n|---|---|---|---|\n| ${cells} |`)[0]

  it.each([
    ['Source | File/Location | Section/Scope | Why', 'Brand | `a.md` | "A" section | tone'],
    ['Source | File | Scope | Why', 'Brand | a.md | "A" section | tone'],
    ['Label? | Source | Path | Scope', 'x | Brand | `a.md` | "A" section'],
  ])('%s', (header, cells) => {
    expect(row(header, cells)).toMatchObject({
      kind: 'file',
      path: 'a.md',
      label: 'Brand',
      scope: { kind: 'names', names: ['A'] },
    })
  })

  it('reads a layer column and a label that is a layer', () => {
    expect(row('Layer | Path | Use', '4 (working) | `a.md` | x')).toMatchObject({
      layer: 4,
      path: 'a.md',
      note: 'x',
    })
    expect(row('Source | File | Why', 'Layer 3 | `a.md` | x')).toMatchObject({ layer: 3, path: 'a.md' })
    expect(row('Source | File | Why', 'Layer 3 | `a.md` | x')?.label).toBeUndefined()
  })

  it('takes the last label column for the path where none is named, else the column with paths', () => {
    expect(row('Input | Source | Format | Required', 'Brief | `a.md` | text | ✅')).toMatchObject({
      path: 'a.md',
      label: 'Brief',
      note: 'text',
    })
    expect(row('What | Where to look | Notes', 'Brief | `a.md` | n')).toMatchObject({ path: 'a.md' })
  })

  it('joins a file column and a folder column', () => {
    expect(row('File | Location | Purpose', '`a.md` | `../x/` | p')).toMatchObject({ path: '../x/a.md' })
  })

  it('points at the path cell', () => {
    expect(row('Source | File', 'Brand | `a.md`')).toMatchObject({ line: 6, column: 11 })
  })

  it('reads § behind a path as its scope', () => {
    expect(row('Source | File | Why', 'x | `a.md` § Rules | y')).toMatchObject({
      scope: { kind: 'names', names: ['Rules'], quoted: true },
    })
  })
})
