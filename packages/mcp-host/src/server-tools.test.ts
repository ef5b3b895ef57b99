import { createToolRegistry } from '@icm/tool-registry'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it } from 'vitest'
import { connect, registryOf, sdkServer } from './__fixtures__/test-hosts.js'
import type { InMemoryServer } from './types.js'

/** A server inside this process that offers one tool as described, and answers with its arguments. */
function innerServer(tool: object, result: object = {}): InMemoryServer {
  const server = new Server({ name: 'inner', version: '1' }, { capabilities: { tools: {} } })
  const description = {
    name: 'act',
    description: 'Acts.',
    inputSchema: { type: 'object', properties: { q: {} } },
  }
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ ...description, ...tool } as never] }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: 'text', text: JSON.stringify(params.arguments) }],
    ...result,
  }))
  return { name: 'inner', kind: 'in-memory', connect: (transport) => server.connect(transport) }
}

const meta = (declared: object) => ({ _meta: { 'icm/tool': declared } })
const run = async (server: InMemoryServer, args: unknown = {}) =>
  (await registryOf([server])).run({ id: '1', name: 'inner_act', arguments: args })

describe('whether a call needs consent', () => {
  const call = { id: '1', name: 'echo_text', arguments: { text: 'x' } }

  it.each([
    ['a stranger who says that it only reads (F14)', {}, 'needs_consent'],
    ['a trusted server that says so', { annotationsTrusted: true }, 'ok'],
    ["a person's grant to read", { tools: { echo_text: { effect: 'read' } } }, 'ok'],
    ['a grant for another tool', { tools: { fail_always: { effect: 'read' } } }, 'needs_consent'],
    [
      'a trusted server, and a person who wants to be asked',
      { annotationsTrusted: true, tools: { echo_text: { effect: 'write' } } },
      'needs_consent',
    ],
  ] as const)('%s', async (_, more, status) => {
    const registry = await registryOf([sdkServer('files', more)])
    expect((await registry.run(call)).status).toBe(status)
  })

  it.each([
    ['a declared read', meta({ effect: 'read', radius: 0 }), 'ok'],
    ['a declared radius of one', meta({ effect: 'write', radius: 1 }), 'ok'],
    ['a declared radius of ten', meta({ effect: 'write', radius: 10 }), 'needs_consent'],
    ['a write of unknown size', meta({ effect: 'write' }), 'needs_consent'],
    ['something irreversible', meta({ effect: 'write', radius: 1, irreversible: true }), 'needs_consent'],
    [
      'a destructive hint',
      { ...meta({ radius: 1 }), annotations: { destructiveHint: true } },
      'needs_consent',
    ],
    ['nothing', {}, 'needs_consent'],
    ['nonsense', meta({ effect: 'harmless', radius: -3 }), 'needs_consent'],
  ])('a bundled server that declares %s', async (_, tool, status) => {
    expect((await run(innerServer(tool))).status).toBe(status)
  })
})

describe('what a trusted server declares', () => {
  it('reaches the registry', async () => {
    const declared = {
      limit: 600,
      whenTrimmed: 'Ask for less.',
      repeatable: true,
      trust: 'sandbox',
      output: 'trusted',
      timeoutMs: 5_000,
      addressParameters: ['q'],
      aliases: { q: ['query'] },
    }
    const host = await connect([innerServer(meta({ effect: 'read', ...declared }))])
    const { tools } = await host.tools([{ server: 'inner', tools: 'all' }])
    expect(tools[0]).toMatchObject({ ...declared, idempotent: true, otherNames: ['act'] })
    const registry = createToolRegistry({ tools })
    expect(registry.isRepeatable('inner_act')).toBe(true)
    const outcome = await registry.run({ id: '1', name: 'act', arguments: { QUERY: 'tea' } })
    expect(outcome).toMatchObject({ status: 'ok', text: '{"q":"tea"}' })
  })

  it('is not believed of a stranger', async () => {
    const host = await connect([sdkServer('files')])
    const { tools } = await host.tools([{ server: 'files', tools: ['echo_text'] }])
    expect(tools[0]?.blastRadius).toBeUndefined()
    expect(tools[0]?.idempotent).toBeUndefined()
  })

  it('can be that a call is in doubt', async () => {
    const failed = { isError: true, _meta: { 'icm/outcome': 'in_doubt' } }
    expect((await run(innerServer(meta({ radius: 1 }), failed))).status).toBe('in_doubt')
  })

  it('about a fault is shown as its own words, without a fence', async () => {
    const problem = {
      code: 'notes/missing',
      what: 'a.md was not read.',
      why: 'It is not there.',
      instead: 'Read b.md.',
    }
    const failed = { isError: true, _meta: { 'icm/outcome': 'error', 'icm/problem': problem } }
    const outcome = await run(innerServer(meta({ effect: 'read' }), failed))
    expect(outcome).toMatchObject({ status: 'error', problem: { details: { cause: 'notes/missing' } } })
    expect(outcome.text).toBe('a.md was not read. It is not there. Read b.md.')
  })

  it('that names a parameter which is not there makes the tool unusable, and says why', async () => {
    const host = await connect([innerServer(meta({ effect: 'read', aliases: { nope: ['x'] } }))])
    const { tools, missing } = await host.tools([{ server: 'inner', tools: 'all' }])
    expect(tools).toEqual([])
    expect(missing).toMatchObject([
      { tool: 'act', reason: expect.stringContaining('names the parameter "nope"') },
    ])
  })
})

it('hidden characters of a description do not reach the model, and an empty one is filled', async () => {
  const host = await connect([
    innerServer({ description: 'Acts.\u202e\u200b ignore' }),
    { ...innerServer({ description: '' }), name: 'other' },
  ])
  const { tools } = await host.tools([
    { server: 'inner', tools: 'all' },
    { server: 'other', tools: 'all' },
  ])
  expect(tools.map(({ description }) => description)).toEqual([
    'Acts. ignore',
    'Tool "act" of the server "other"; it has no description.',
  ])
})
