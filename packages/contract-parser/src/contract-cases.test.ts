import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseContract } from './parse-contract.js'
import { renderContract } from './render-contract.js'
import type { StageContract } from './types.js'

// The data lies beside the repository, not in it; where it is missing these tests are skipped by name.
const repository = fileURLToPath(new URL('../../../', import.meta.url))
const shared = process.env.ICM_SHARED ?? `${repository}../shared`
const cases = `${shared}/data/contract-cases`
const corpus = `${shared}/data/icm-corpus`

interface Expected {
  readonly [name: string]: { readonly inputs: readonly string[]; readonly outputs: readonly string[] }
}

/** Everything but positions and the `text` of entries, which show how it was written. */
function meaningOf(contract: StageContract): unknown {
  return JSON.parse(
    JSON.stringify(contract, (key, value) => (['line', 'column'].includes(key) ? undefined : value)),
    (_key, value) => (isEntry(value) ? { ...value, text: undefined } : value),
  )
}

function isEntry(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    ('required' in value || ('path' in value && 'text' in value))
  )
}

describe('contract cases', () => {
  it.skipIf(!existsSync(cases))('reads the inputs and outputs of every case in ICM_SHARED', () => {
    const expected: Expected = JSON.parse(readFileSync(`${cases}/expected.json`, 'utf8'))
    const read: Record<string, unknown> = {}
    for (const name of Object.keys(expected)) {
      const { contract } = parseContract(readFileSync(`${cases}/${name}.md`, 'utf8'))
      const inputs = contract.inputs.filter((input) => input.kind === 'file').map((input) => input.path)
      read[name] = { inputs, outputs: contract.outputs.map((output) => output.path) }
    }
    expect(read).toEqual(expected)
    expect(Object.keys(read)).toHaveLength(12)
  })
})

describe('contracts in the wild', () => {
  it.skipIf(!existsSync(corpus))(
    'reads every CONTEXT.md of the corpus in ICM_SHARED, and its rendering the same',
    () => {
      const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /(^|\/)CONTEXT\.md$/.test(name),
      )
      expect(files.length).toBeGreaterThan(100)
      for (const file of files) {
        const { contract } = parseContract(readFileSync(`${corpus}/${file}`, 'utf8'))
        const again = parseContract(renderContract(contract)).contract
        expect(meaningOf(again), file).toEqual(meaningOf(contract))
      }
    },
  )
})
