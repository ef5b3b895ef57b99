import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkTools, type ToolFindingCode } from './check-tools.js'
import { defineTool } from './define-tool.js'
import { definitionHashOf } from './prepare-tool.js'
import { toolStatistics } from './statistics.js'
import type { AnyTool } from './types.js'

const good =
  'Returns the text of a document, the first 4,000 characters of a longer one. Example: {"path": "tea.md"}. ' +
  'Rejected: paths outside the library. Next: note its facts.'

const toolOf = (name: string, change: object = {}): AnyTool =>
  defineTool({
    name,
    description: good,
    input: { type: 'object', properties: { path: { type: 'string' } } },
    limit: 4_000,
    idempotent: true,
    trust: 'sandbox',
    output: 'trusted',
    blastRadius: () => 0,
    run: () => '',
    ...change,
  }) as AnyTool

const found = (tools: readonly AnyTool[], code: ToolFindingCode, options = {}) =>
  checkTools(tools, options).findings.filter((finding) => finding.code === code)

it('finds nothing in a tool that says all', () => {
  expect(checkTools([toolOf('read_document')]).findings).toEqual([])
})

describe('descriptions', () => {
  it('that overlap: the share, the pair and both texts', () => {
    const [one, other] = ['Finds documents by their words.', 'Finds documents by words in them.']
    const pair = [
      toolOf('find_documents', { description: one }),
      toolOf('locate_papers', { description: other }),
    ]
    const [finding] = found(pair, 'overlap')
    expect(finding).toMatchObject({ tools: ['find_documents', 'locate_papers'] })
    expect(finding?.what).toMatch(/^\d\d+ % of the words/)
    expect(finding?.what).toContain(one)
    expect(finding?.what).toContain(other)
    const apart = [
      toolOf('find_documents', { description: one }),
      toolOf('send_mail', { description: 'Sends a mail to a person.' }),
    ]
    expect(found(apart, 'overlap')).toEqual([])
  })

  it.each([
    ['what is returned', 'Document. Empty when there is none. Example: {"a": 1}. Rejected: b. Next: c.'],
    ['what happens at the edges', 'Returns a document. Example: {"a": 1}. Rejected: b. Next: c.'],
    ['which tool comes next', 'Returns a document, empty when missing. Example: {"a": 1}. Rejected: b.'],
    ['an example of the format', 'Returns a document, empty when missing. Rejected: b. Next: c.'],
    ['what is rejected', 'Returns a document, empty when missing. Example: {"a": 1}. Next: c.'],
  ])('that do not say %s', (rule, description) => {
    expect(found([toolOf('read_document', { description })], 'description').map(({ what }) => what)).toEqual([
      `The description of read_document does not say ${rule}.`,
    ])
  })

  it('in mixed languages', () => {
    const polish = toolOf('zmien_nazwy', {
      description: 'Zmienia nazwy plików w folderze i nie jest dla katalogów.',
    })
    expect(
      found([toolOf('read_document'), toolOf('find_document'), polish], 'mixed-languages'),
    ).toMatchObject([{ tools: ['zmien_nazwy'] }])
  })

  it('of a sandbox tool that name a host tool', () => {
    const sandbox = toolOf('read_document', { description: `${good} Or call write_file.` })
    expect(found([sandbox, toolOf('write_file', { trust: 'host' })], 'names-hidden-tool')).toMatchObject([
      { tools: ['read_document', 'write_file'] },
    ])
  })
})

describe('names', () => {
  it.each([
    ['read_document', 'read_documents'],
    ['read_document', 'document_read'],
    ['read_document', 'raed_document'],
  ])('%s and %s differ by little', (one, other) => {
    expect(found([toolOf(one), toolOf(other)], 'similar-names')).toHaveLength(1)
  })
  it('that share a word only do not', () => {
    expect(found([toolOf('read_document'), toolOf('rename_document')], 'similar-names')).toEqual([])
  })
  it('that become one', () => {
    const tools = [
      toolOf('files_read', { otherNames: ['files.read'] }),
      toolOf('x_read', { otherNames: ['files/read'] }),
    ]
    expect(found(tools, 'name-clash')).toMatchObject([{ tools: ['files_read', 'x_read'] }])
    expect(found([toolOf('read_file'), toolOf('Read-File')], 'name-clash')).toHaveLength(1)
  })
  it.each(['get_doc', 'exec_cmd', 'send_msg', 'rd_file'])('with an abbreviation: %s', (name) => {
    expect(found([toolOf(name)], 'abbreviation')).toHaveLength(1)
  })
  it.each(['read_pdf', 'fetch_urls', 'try_it'])('without one: %s', (name) => {
    expect(found([toolOf(name)], 'abbreviation')).toEqual([])
  })
  it('of one word', () => {
    expect(found([toolOf('search')], 'name-form')).toHaveLength(1)
  })
})

describe('declarations', () => {
  it.each(['idempotent', 'blastRadius', 'limit', 'trust', 'output'])('missing: %s', (field) => {
    const tool = defineTool({ ...toolOf('read_document'), [field]: undefined }) as AnyTool
    expect(found([tool], 'undeclared').map(({ what }) => what)).toEqual([
      expect.stringContaining(`read_document does not declare ${field} (`),
    ])
  })
  it('a radius that does not depend on the arguments', () => {
    expect(found([toolOf('write_file', { blastRadius: () => 1 })], 'fixed-radius')).toHaveLength(1)
    expect(
      found([toolOf('write_file', { blastRadius: () => 1, input: z.object({}) })], 'fixed-radius'),
    ).toEqual([])
    expect(
      found(
        [toolOf('write_file', { blastRadius: (input: object) => Object.keys(input).length })],
        'fixed-radius',
      ),
    ).toEqual([])
  })
  it('several objects without a dry run', () => {
    const byCount = { blastRadius: (input: { path?: string }) => (input.path === '*' ? 5 : 1) }
    expect(found([toolOf('write_file', byCount)], 'no-dry-run')).toHaveLength(1)
    expect(found([toolOf('write_file', { ...byCount, dryRun: () => 'x' })], 'no-dry-run')).toEqual([])
  })
})

describe('the set', () => {
  it('of more than fifteen tools, and what the schemas cost', () => {
    const tools = Array.from({ length: 16 }, (_, index) => toolOf(`read_document_${index}`))
    expect(found(tools, 'too-many')).toHaveLength(1)
    expect(found(tools.slice(1), 'too-many')).toEqual([])
    const check = checkTools(tools, { countTokens: () => 100, contextWindow: 6_000 })
    expect(check).toMatchObject({
      totalTokens: 1_600,
      tokens: expect.arrayContaining([{ name: 'read_document_3', tokens: 100 }]),
    })
    expect(found(tools, 'large-schemas', { countTokens: () => 100, contextWindow: 6_000 })).toHaveLength(1)
    expect(found(tools, 'large-schemas', { countTokens: () => 100, contextWindow: 6_500 })).toEqual([])
  })
  it('with tools that were not used, or fail often', () => {
    const calls = (name: string, status: 'ok' | 'error', count: number) =>
      Array.from({ length: count }, () => ({ name, status }))
    const sessions = Array.from({ length: 40 }, (_, index) => ({
      tools: ['read_document', 'find_files', 'send_mail', 'convert_money'],
      calls: [
        ...calls('read_document', 'ok', 3),
        ...calls('find_files', index % 4 === 0 ? 'error' : 'ok', 1),
        ...(index === 0 ? calls('send_mail', 'ok', 1) : []),
      ],
    }))
    const statistics = toolStatistics(sessions)
    expect(found([], 'unused', { statistics }).map(({ what }) => what)).toEqual([
      'send_mail was used in 2.5 % of 40 sessions.',
      'convert_money was not used in 40 sessions.',
    ])
    expect(found([], 'many-errors', { statistics }).map(({ what }) => what)).toEqual([
      '25.0 % of the calls of find_files failed.',
    ])
  })
  it('with a tool that changed since it was pinned (F13)', () => {
    const pins = { read_document: definitionHashOf(toolOf('read_document')) }
    expect(found([toolOf('read_document')], 'changed', { pins })).toEqual([])
    expect(
      found([toolOf('read_document', { description: `${good} And deletes it.` })], 'changed', { pins }),
    ).toHaveLength(1)
  })
})
