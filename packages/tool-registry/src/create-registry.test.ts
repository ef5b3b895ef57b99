import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createToolRegistry } from './create-registry.js'
import { defineTool } from './define-tool.js'
import { ToolRegistryError } from './errors.js'

const search = defineTool({
  name: 'search',
  description: 'Finds documents.',
  input: z.object({ query: z.string(), max_results: z.number().int().default(5) }),
  aliases: { query: ['q'] },
  idempotent: true,
  repeatable: true,
  trust: 'sandbox',
  output: 'trusted',
  blastRadius: () => 0,
  run: ({ query, max_results }) => `${max_results} results for ${query}`,
})
const write = defineTool({
  name: 'write_file',
  description: 'Writes a file.',
  input: {
    type: 'object',
    properties: { path: { type: 'string' }, mode: { type: 'string', default: 'new' } },
    required: ['path'],
  },
  output: 'trusted',
  blastRadius: () => 1,
  run: ({ path, mode }) => `wrote ${path} as ${mode}`,
})

const host = { trust: 'host' } as const
const call = (name: string, args: unknown, id = 'call-1') => ({ id, name, arguments: args })

describe('specs', () => {
  it('shows the tools in order, with schemas that a model can use, and always the same list', () => {
    const registry = createToolRegistry({ tools: [search, write], session: host })
    expect(registry.specs()).toEqual([
      {
        name: 'search',
        description: 'Finds documents.',
        inputSchema: {
          type: 'object',
          properties: { query: { type: 'string' }, max_results: { type: 'integer', default: 5 } },
          required: ['query'],
        },
      },
      { name: 'write_file', description: 'Writes a file.', inputSchema: write.input },
    ])
    expect(registry.specs()).toBe(registry.specs())
  })
})

describe('a hidden tool does not exist', () => {
  const hidden = [
    ['for a sandbox session, which is the default', {}],
    ['for a session with a list', { session: { ...host, only: ['search'] } }],
  ] as const

  it.each(hidden)('%s', async (_, options) => {
    const registry = createToolRegistry({ tools: [search, write], ...options })
    expect(registry.specs().map(({ name }) => name)).toEqual(['search'])
    expect(registry.get('write_file')).toBeUndefined()
    expect(registry.isRepeatable('write_file')).toBe(false)
    for (const name of ['write_file', 'write_fil', 'Write-File']) {
      const outcome = await registry.run(call(name, { path: 'a' }))
      expect(outcome).toMatchObject({ status: 'error', problem: { code: 'tool/unknown' } })
      expect(outcome.text).toBe(
        `Tool "${name}" was not called. No tool that is available here has that name. Call one of: search.`,
      )
    }
  })
})

describe('run', () => {
  const registry = createToolRegistry({ tools: [search, write], session: host })

  it('mends what a model wrote and reports each repair', async () => {
    const outcome = await registry.run(call('Search', '{"arguments":{"Q":"tea","maxResults":"7","x":1}}'))
    expect(outcome).toMatchObject({
      status: 'ok',
      text: '7 results for tea',
      callId: 'call-1',
      toolName: 'search',
    })
    expect(outcome.repairs).toEqual([
      'The tool name "Search" was read as "search".',
      'The arguments came as JSON text and were parsed.',
      'The arguments were wrapped in "arguments", which was removed.',
      'The unknown argument "x" was dropped.',
      '"Q" was read as "query".',
      '"maxResults" was read as "max_results".',
      'max_results: "7" was read as the number 7.',
    ])
  })

  it('reports nothing for a call that was right', async () => {
    expect((await registry.run(call('search', { query: 'tea' }))).repairs).toEqual([])
  })

  it('fills the defaults of a raw JSON Schema too', async () => {
    expect(await registry.run(call('write_file', { path: 'a.md' }))).toMatchObject({
      text: 'wrote a.md as new',
    })
  })

  it('uses aliases of the whole registry', async () => {
    const shared = createToolRegistry({
      tools: [search, write],
      session: host,
      aliases: { path: ['file', 'plik'] },
    })
    expect(await shared.run(call('write_file', { PLIK: 'b.md' }))).toMatchObject({
      text: 'wrote b.md as new',
    })
  })

  it('answers an unknown name with the nearest and the allowed ones', async () => {
    expect((await registry.run(call('serch', {}))).text).toBe(
      'Tool "serch" was not called. No tool that is available here has that name. Did you mean search? Call one of: search, write_file.',
    )
  })

  it('says which parameter is wrong, what was given and what is expected', async () => {
    const outcome = await registry.run(call('search', { max_results: 'five' }))
    expect(outcome).toMatchObject({ status: 'error', problem: { code: 'tool/bad-arguments' } })
    expect(outcome.text).toContain('"query" is missing; expected string.')
    expect(outcome.text).toContain('"max_results" was given "five"; expected integer')
    expect(outcome.text).toContain('Call search again with {"query": string, "max_results"?: integer}.')
  })

  it('says the same for a raw JSON Schema', async () => {
    const outcome = await registry.run(call('write_file', { mode: 3, colour: 'x' }))
    expect(outcome.text).toContain('"path" is missing; expected string.')
    expect(outcome.text).toContain('"mode" was given 3; expected string')
    expect(outcome.text).toContain('The unknown argument "colour" was dropped.')
  })

  it('never turns unreadable arguments into none (B03)', async () => {
    let ran = 0
    const purge = defineTool({
      name: 'purge',
      description: 'Empties a folder.',
      input: z.object({ path: z.string().default('/') }),
      blastRadius: () => 0,
      run: () => {
        ran += 1
        return 'purged'
      },
    })
    const outcome = await createToolRegistry({ tools: [purge], session: host }).run(
      call('purge', '{path: /tmp'),
    )
    expect(outcome).toMatchObject({ status: 'error', problem: { code: 'tool/bad-arguments' } })
    expect(outcome.text).toContain('they began with: {path: /tmp')
    expect(ran).toBe(0)
  })
})

describe('call keys', () => {
  const registry = createToolRegistry({ tools: [search], session: host })
  const keyOf = (args: unknown, name = 'search') => registry.keyOf(call(name, args))

  it('are equal for calls that take effect equally', async () => {
    const key = await keyOf({ query: 'tea', max_results: 5 })
    expect(key).toMatch(/^[0-9a-f]{16}$/)
    for (const same of [{ max_results: '5', q: 'tea' }, '{"query":"tea"}', { input: { QUERY: 'tea' } }]) {
      expect(await keyOf(same)).toBe(key)
    }
    expect(await keyOf({ query: 'tea' }, 'Search')).toBe(key)
    expect(await keyOf({ query: 'coffee' })).not.toBe(key)
  })

  it('are the ones that run reports, also for calls that fail', async () => {
    for (const [name, args] of [
      ['search', { q: 'x' }],
      ['search', '{broken'],
      ['search', {}],
      ['nothing', { a: 1 }],
    ] as const) {
      expect(await keyOf(args, name)).toBe((await registry.run(call(name, args))).callKey)
    }
  })

  it('tell apart what a transform makes unreadable', async () => {
    const pick = defineTool({
      name: 'pick',
      description: 'Picks.',
      input: z.object({ ids: z.array(z.string()).transform((ids) => new Set(ids)) }),
      run: ({ ids }) => `${ids.size}`,
    })
    const picker = createToolRegistry({ tools: [pick], session: host })
    const one = await picker.run(call('pick', { ids: ['a'] }))
    const other = await picker.run(call('pick', { ids: ['b'] }))
    expect(one.callKey).not.toBe(other.callKey)
    expect(one).toMatchObject({ request: { arguments: { ids: ['a'] } } })
  })
})

describe('construction', () => {
  it.each([
    [{ tools: [search, search] }, 'two tools are named "search"'],
    [{ tools: [search], session: { only: ['serch'] } }, 'session.only names "serch"'],
    [{ tools: [search], consentAt: 0 }, 'consentAt was 0'],
  ])('refuses a mistake', (options, what) => {
    expect(() => createToolRegistry(options)).toThrow(ToolRegistryError)
    expect(() => createToolRegistry(options)).toThrow(what)
  })
})
