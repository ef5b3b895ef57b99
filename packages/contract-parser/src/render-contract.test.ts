import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseContract } from './parse-contract.js'
import { renderContract } from './render-contract.js'
import type { StageContract } from './types.js'

const canonical = `# Stage: 04-draft

## Inputs
- Layer 4 (working): ../02-research/output/notes.md
- Layer 3 (reference): ../../_config/voice.md
- input.md

## Tools
search-server: search
files: *

## For each
module in ../03-outline/output/outline.md
- carry: one-line summary

## Process
Write one module.

## Verify
- every module has a source

## Audit
| Check | Pass Condition |
|---|---|
| Sources \\| links | each has one |

## Outputs
- draft.md -> output/
- ../../shared/index.md

## Notes
Anything else.
`

const withoutPlaces = (contract: StageContract): unknown =>
  JSON.parse(
    JSON.stringify(contract, (key, value) => (key === 'line' || key === 'column' ? undefined : value)),
  )

describe('renderContract', () => {
  it('prints the canonical form as it was', () => {
    expect(renderContract(parseContract(canonical).contract)).toBe(canonical)
  })

  it('prints tools as none and inputs as none', () => {
    expect(renderContract(parseContract('# S\n## Process\ngo').contract)).toBe(
      '# S\n\n## Inputs\nnone\n\n## Tools\nnone\n\n## Process\ngo\n',
    )
  })

  it('keeps scopes, labels, notes, optional marks, siblings and entries that are no files', () => {
    const source = `# S

## Inputs
| Source | File/Location | Section/Scope | Required | Why |
|---|---|---|---|---|
| Brand | \`../x.md#rules\` and \`y.md\` | | yes | a \\| b |
| Old | \`z.md\` § Tone | | no | n |
| Voice | \`v.md\` | "A" through "B" | | |
| User | (conversation) | Topic | | |
| Code | \`git log\` | | | |
| Site | https://x.org | | | |

## Process
go

## Outputs
| File | Location | Purpose |
|---|---|---|
| \`a.md\` | \`output/\` | last |
`
    const { contract } = parseContract(source)
    const again = parseContract(renderContract(contract)).contract
    const plain = (one: StageContract) =>
      withoutPlaces({
        ...one,
        inputs: one.inputs.map((input) => ({ ...input, text: '' })),
        outputs: one.outputs.map((output) => ({ ...output, text: '' })),
      })
    expect(plain(again)).toEqual(plain(contract))
    expect(contract.inputs.map((input) => input.kind)).toEqual([
      'file',
      'file',
      'file',
      'file',
      'person',
      'command',
      'external',
    ])
    expect(contract.inputs[1]?.siblingOf).toBe('../x.md')
  })

  it('comes back equal for any contract of plain entries', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)
    const path = fc
      .tuple(fc.constantFrom('', '../01-a/output/', '../../_config/', '/shared/'), word)
      .map(([folder, name]) => `${folder}${name}.md`)
    const sentence = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '))
    const place = { line: 1, column: 1 }
    const contract = fc
      .record({
        title: sentence,
        inputs: fc.uniqueArray(fc.tuple(path, fc.constantFrom<3 | 4 | undefined>(3, 4, undefined)), {
          selector: ([name]) => name,
          maxLength: 5,
        }),
        tools: fc.array(
          fc.tuple(
            word,
            fc.oneof(fc.constant<'all'>('all'), fc.uniqueArray(word, { minLength: 1, maxLength: 3 })),
          ),
        ),
        forEach: fc.option(fc.record({ item: word, path, carry: fc.boolean() }), { nil: undefined }),
        process: sentence,
        verify: fc.array(sentence),
        audit: fc.array(fc.tuple(sentence, sentence)),
        outputs: fc.uniqueArray(word, { maxLength: 3 }),
      })
      .map(
        (parts): StageContract => ({
          title: parts.title,
          purpose: '',
          inputs: parts.inputs.map(([name, layer]) => ({
            kind: 'file',
            path: name,
            ...(layer ? { layer } : {}),
            required: true,
            scope: { kind: 'full', text: '' },
            text: `${layer === 3 ? 'Layer 3 (reference): ' : layer === 4 ? 'Layer 4 (working): ' : ''}${name}`,
            ...place,
          })),
          tools: parts.tools
            .filter(([server]) => server !== 'none')
            .map(([server, tools]) => ({ server, tools, ...place })),
          ...(parts.forEach ? { forEach: { ...parts.forEach, parallel: 1, ...place } } : {}),
          process: parts.process,
          verify: parts.verify,
          checkpoints: [],
          audit: parts.audit.map(([check, passCondition]) => ({ check, passCondition, ...place })),
          outputs: parts.outputs.map((name) => ({
            path: `output/${name}.md`,
            text: `${name}.md -> output/`,
            ...place,
          })),
          otherSections: [],
        }),
      )
    fc.assert(
      fc.property(contract, (one) => {
        expect(withoutPlaces(parseContract(renderContract(one)).contract)).toEqual(withoutPlaces(one))
      }),
    )
  })
})
