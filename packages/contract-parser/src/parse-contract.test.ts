import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseContract } from './parse-contract.js'

const canonical = `# Stage: 02-research

## Inputs
- Layer 4 (working): ../01-scope/output/objectives.md
- Layer 3 (reference): ../../_config/audience.md

## Tools
search-server: search
browser-server: fetch_snippet, fetch_urls
files: *
scripts: tidy.mjs

## For each
module in ../03-outline/output/outline.md
- carry: one-line summary

## Process
Write.

\`\`\`
## Outputs
- ghost.md
\`\`\`

## Verify
- every objective has a module

## Outputs
- notes.md -> output/
`

const codes = (markdown: string) => parseContract(markdown).problems.map((problem) => problem.code)
const ok = '# S\n\n## Inputs\nnone\n\n## Process\ngo\n\n## Outputs\n- a.md\n'

describe('parseContract', () => {
  it('reads the canonical form without a problem', () => {
    const { contract, problems } = parseContract(canonical)
    expect(problems).toEqual([])
    expect(contract.title).toBe('Stage: 02-research')
    expect(contract.inputs.map((input) => [input.layer, input.path])).toEqual([
      [4, '../01-scope/output/objectives.md'],
      [3, '../../_config/audience.md'],
    ])
    expect(contract.tools).toEqual([
      { server: 'search-server', tools: ['search'], line: 8, column: 1 },
      { server: 'browser-server', tools: ['fetch_snippet', 'fetch_urls'], line: 9, column: 1 },
      { server: 'files', tools: 'all', line: 10, column: 1 },
      { server: 'scripts', tools: ['tidy.mjs'], line: 11, column: 1 },
    ])
    expect(contract.forEach).toEqual({
      item: 'module',
      path: '../03-outline/output/outline.md',
      carry: true,
      parallel: 1,
      line: 14,
      column: 1,
    })
    expect(contract.process).toBe('Write.\n\n```\n## Outputs\n- ghost.md\n```')
    expect(contract.verify).toEqual(['every objective has a module'])
    expect(contract.outputs.map((output) => output.path)).toEqual(['output/notes.md'])
  })

  it('takes the process as an exact slice, without the rule that separates sections', () => {
    expect(
      parseContract('## Process\r\n\r\n1. a\r\n\r\n2. b\r\n\r\n---\r\n\r\n## Outputs\r\n- x.md').contract
        .process,
    ).toBe('1. a\r\n\r\n2. b')
    expect(parseContract('## Process\na <!-- keep -->\n---').contract.process).toBe('a <!-- keep -->')
    expect(parseContract('## Process\n---\n').contract.process).toBe('')
    expect(parseContract('## Process\nx---').contract.process).toBe('x---')
  })

  it('takes purpose from its section, else from the text below the title', () => {
    expect(parseContract('# S\n## Purpose\nWhy.\n').contract.purpose).toBe('Why.')
    expect(
      parseContract('---\na: 1\n---\n# S\n\n**Job:** do it.\n\n---\n\n## Inputs\n').contract.purpose,
    ).toBe('**Job:** do it.')
    expect(parseContract('## Inputs\n- a.md').contract.purpose).toBe('')
  })

  it('takes a lone first heading for the title, even when it is called like a section', () => {
    const { contract, problems } = parseContract(
      '# Write\n\n## Inputs\n- a.md\n\n## Process\ngo\n\n## Outputs\n- b.md',
    )
    expect([contract.title, contract.outputs.length, problems]).toEqual(['Write', 1, []])
    expect(parseContract('# Inputs\n- a.md\n\n# Process\ngo').contract.inputs).toHaveLength(1)
  })

  it('keeps sections without a meaning, whole and in order', () => {
    const { contract } = parseContract(`${ok}\n## Output Format\n- c.md\n\n### deeper\nx\n\n## Notes\n`)
    expect(contract.otherSections).toEqual([
      { heading: 'Output Format', text: '- c.md\n\n### deeper\nx', line: 12, column: 1 },
      { heading: 'Notes', text: '', line: 18, column: 1 },
    ])
    expect(contract.outputs).toHaveLength(1)
  })

  it('reads checkpoints, audit and verify', () => {
    const { contract } = parseContract(`${ok}
## Checkpoints
| After Step | Agent Presents | Human Decides |
|---|---|---|
| 6 | the list | whether it is whole |

## Review gate
Summarise, then stop.
A person edits it.

## Audit
| Check | Pass Condition |
|---|---|
| Sources | each has one |

## Acceptance Criteria
- [ ] one sentence
`)
    expect(contract.checkpoints).toMatchObject([
      { afterStep: '6', presents: 'the list', decides: 'whether it is whole' },
      { afterStep: '', presents: '', decides: 'Summarise, then stop. A person edits it.' },
    ])
    expect(contract.audit).toMatchObject([
      { check: 'Sources', passCondition: 'each has one' },
      { check: 'one sentence', passCondition: '' },
    ])
  })

  it('reads marked steps where there is no Checkpoints section', () => {
    const { contract } = parseContract('## Process\n1. a\n2. **[Checkpoint]** -- Show the list.\n3. b')
    expect(contract.checkpoints).toEqual([
      { afterStep: '1', presents: 'Show the list.', decides: '', line: 3, column: 4 },
    ])
  })

  it('never throws, whatever the text', () => {
    const line = fc.constantFrom(
      '## Inputs',
      '## Outputs',
      '## Tools',
      '## For each',
      '## Process',
      '| a | b |',
      '|---|---|',
      '- `a.md` — x',
      '```',
      '<!--',
      '-->',
      '---',
      '- x in y.md',
      'x in `y.md`',
      '[a](b',
      '(((',
      '`',
      '\\|',
      '§',
      '\uE0000\uE000',
      '- a -> output/',
      '\uFEFF',
      '\u0000',
    )
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseContract(text)))
    fc.assert(
      fc.property(
        fc.array(fc.oneof(line, fc.string()), { maxLength: 30 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        (lines, ending) => {
          const { problems } = parseContract(lines.join(ending))
          for (const problem of problems) {
            expect(problem.line).toBeGreaterThan(0)
            expect(problem.column).toBeGreaterThan(0)
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it('comes back for long lines and many openers', () => {
    // Quadratic or worse work on these runs into the time limit of the test.
    for (const text of [
      '`'.repeat(20_000),
      '<!--'.repeat(10_000),
      '('.repeat(20_000),
      '[a]('.repeat(5_000),
      '- '.repeat(10_000),
      '| '.repeat(20_000),
      `${' '.repeat(20_000)}x`,
    ]) {
      parseContract(`## Inputs\n- ${text}\n\n| a |\n|---|\n| ${text} |\n\n## Outputs\n- ${text}\n`)
    }
  })
})

describe('problems', () => {
  it.each([
    ['# S\n', ['contract/no-process', 'contract/no-outputs', 'contract/no-inputs']],
    [ok, []],
    [`${ok}\n## Ouputs\n- b.md\n`, ['contract/section-name']],
    [`${ok}\n## Outputs\n- b.md\n`, ['contract/duplicate-section']],
    [`${ok}\n##Tools\nnone\n`, ['contract/heading-space']],
    [`${ok}\n## Notes\n\`\`\`\nx\n`, ['contract/unclosed-fence']],
    [`${ok}\n<!-- x\n## Tools\n`, ['contract/unclosed-comment']],
    [ok.replace('- a.md', '- {a,b}.md'), ['contract/brace-list']],
    [`${ok}- b.md\n\n## For each\nmodule in x.md\n`, ['contract/for-each-outputs']],
  ])('%j', (markdown, expected) => {
    expect(codes(markdown)).toEqual(expected)
  })

  it('says what, why and instead, in the order of the text', () => {
    const { problems } = parseContract('# S\n\n## Tools\nsearch search\n\n## Ouputs\n')
    expect(problems.map((problem) => problem.line)).toEqual([1, 1, 1, 4, 6])
    for (const problem of problems)
      expect([problem.what, problem.why, problem.instead].every((text) => text.endsWith('.'))).toBe(true)
  })
})

describe('tools', () => {
  const tools = (body: string) => parseContract(`${ok}\n## Tools\n${body}\n`)

  it.each([
    ['none', []],
    ['- search: *', [['search', 'all']]],
    ['search', [['search', 'all']]],
    ['- `search`: `a`, `b`, a', [['search', ['a', 'b']]]],
    ['**search**: a — for links', [['search', ['a']]]],
  ])('%s', (body, expected) => {
    const { contract, problems } = tools(body)
    expect(contract.tools.map((allowance) => [allowance.server, allowance.tools])).toEqual(expected)
    expect(problems).toEqual([])
  })

  it.each([
    ['search: a b', 'error'],
    ['search search', 'error'],
    ['search:', 'error'],
    ['Web search and other tools as they are available.', 'warning'],
  ])('%s allows nothing: %s', (body, severity) => {
    const { contract, problems } = tools(body)
    expect(contract.tools).toEqual([])
    expect(problems).toMatchObject([{ code: 'contract/tool-line', severity, line: 13, column: 1 }])
  })
})

describe('for each', () => {
  const each = (body: string) => parseContract(`${ok}\n## For each\n${body}\n`)

  it('reads item, path and options', () => {
    expect(each('`learning objective` in `my notes.md`\n- parallel: 3').contract.forEach).toMatchObject({
      item: 'learning objective',
      path: 'my notes.md',
      carry: false,
      parallel: 3,
    })
    expect(each('- each module in x.md\n- carry: no').contract.forEach).toMatchObject({
      item: 'module',
      carry: false,
    })
  })

  it.each([
    ['', 'contract/for-each'],
    ['module', 'contract/for-each'],
    ['module in https://x.org', 'contract/for-each'],
    ['module in x.md\n- parallel: 0', 'contract/for-each-option'],
    ['module in x.md\n- order: random', 'contract/for-each-option'],
    ['module in x.md\n- carry: one line\n- parallel: 2', 'contract/for-each-carry'],
  ])('%j is %s', (body, code) => {
    expect(each(body).problems.map((problem) => problem.code)).toEqual([code])
  })
})
