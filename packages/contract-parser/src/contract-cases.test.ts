import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readingDifferences } from './__fixtures__/reading-differences.js'
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

interface ReferenceEntry {
  readonly paths: readonly string[]
  readonly scope?: string
  readonly layer?: string
  readonly commands?: readonly string[]
}

interface Reference {
  readonly [file: string]: {
    readonly inputs: readonly ReferenceEntry[]
    readonly outputs: readonly ReferenceEntry[]
  }
}

describe('contracts in the wild', () => {
  it.skipIf(!existsSync(corpus))(
    'are read as the reference of ICM_SHARED reads them, but for our table',
    () => {
      const reference: Reference = JSON.parse(readFileSync(`${corpus}/reference-reading.json`, 'utf8'))
      for (const [file, expected] of Object.entries(reference)) {
        const difference = readingDifferences[file]
        const { contract } = parseContract(readFileSync(`${corpus}/${file}`, 'utf8'))
        const named = contract.inputs.filter((input) => input.path !== undefined)
        const wanted = expected.inputs.flatMap(({ paths, scope = '', layer }) =>
          paths.map((path) => ({
            path,
            scope,
            layer: layer === undefined ? undefined : Number(/\d/.exec(layer)?.[0]),
          })),
        )
        const scopes = wanted.map((input, index) => difference?.scopes?.[index] ?? input.scope)
        expect(
          named.map((input) => input.path),
          file,
        ).toEqual(wanted.map((input) => input.path))
        expect(
          named.map((input) => input.scope.text),
          file,
        ).toEqual(scopes)
        expect(
          named.map((input) => input.layer),
          file,
        ).toEqual(wanted.map((input) => input.layer))
        const others = contract.inputs.filter((input) => input.path === undefined)
        expect(others, file).toHaveLength(expected.inputs.filter((entry) => entry.paths.length === 0).length)
        const commands = expected.inputs.filter((entry) => entry.commands !== undefined)
        expect(
          others.filter((input) => input.kind === 'command'),
          file,
        ).toHaveLength(commands.length)
        const outputs = difference?.outputs ?? expected.outputs.flatMap((entry) => entry.paths)
        expect(
          contract.outputs.map((output) => output.path),
          file,
        ).toEqual(outputs)
      }
      expect(Object.keys(readingDifferences).filter((file) => !(file in reference))).toEqual([])
    },
  )

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
