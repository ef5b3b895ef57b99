import { describe, expect, it } from 'vitest'
import { createToolRegistry } from './create-registry.js'
import { defineTool } from './define-tool.js'
import { ToolRegistryError } from './errors.js'
import { openObservationStore } from './observation-store.js'
import { indexTools } from './rank-tools.js'
import type { ToolRegistryOptions } from './types.js'
import { wordsIn } from './words.js'

const toolOf = (name: string, description: string, more: object = {}) =>
  defineTool({
    name,
    description,
    input: {
      type: 'object',
      properties: { path: { type: 'string', description: 'The document' } },
      required: ['path'],
    },
    output: 'trusted',
    idempotent: true,
    trust: 'sandbox',
    blastRadius: () => 0,
    run: () => name,
    ...more,
  })
const tools = [
  toolOf('read_document', 'Reads a document. Long text follows.'),
  toolOf('rename_files', 'Renames files by a pattern.'),
  toolOf('send_mail', 'Sends a mail to a person.', { trust: 'host', otherNames: ['mailer'] }),
  toolOf('convert_currency', 'Converts an amount of money.'),
  toolOf('forecast_weather', 'Forecasts the weather of a city.'),
]
const registryOf = (options: Partial<ToolRegistryOptions> = {}) =>
  createToolRegistry({
    tools,
    session: { trust: 'host' },
    topUp: { base: ['read_document', 'send_mail'], found: 2 },
    ...options,
  })
const call = (name: string, args: unknown) => ({ id: '1', name, arguments: args })
const namesOf = (registry: ReturnType<typeof registryOf>) => registry.specs().map(({ name }) => name)

describe('find_tools', () => {
  it('offers a few tools, and what it finds behind them, so that what was sent stays a prefix', async () => {
    const registry = registryOf()
    const before = namesOf(registry)
    expect(before).toEqual(['read_document', 'send_mail', 'find_tools'])
    expect(registry.specs()).toBe(registry.specs())
    const outcome = await registry.run(call('find_tools', { query: 'renaming of many files' }))
    expect(outcome.text).toBe('- rename_files({"path": string}): Renames files by a pattern.')
    expect(namesOf(registry)).toEqual([...before, 'rename_files'])
    await registry.run(call('find_tools', { description: 'money and the weather' }))
    expect(namesOf(registry).slice(0, 4)).toEqual([...before, 'rename_files'])
    expect(namesOf(registry)).toHaveLength(6)
    expect(await registry.run(call('rename_files', { path: 'a' }))).toMatchObject({ status: 'ok' })
  })

  it('says when nothing fits, and refuses no words', async () => {
    const registry = registryOf()
    expect((await registry.run(call('find_tools', { description: 'zzz' }))).text).toContain(
      'No tool shares a word',
    )
    expect(await registry.run(call('find_tools', { description: ' ?' }))).toMatchObject({ status: 'error' })
    expect(namesOf(registry)).toHaveLength(3)
  })

  it.each<[string, Partial<ToolRegistryOptions>, string]>([
    ['a tool of its name', { tools: [...tools, toolOf('find_tools', 'x')] }, 'a tool is named "find_tools"'],
    ['a base tool that is none', { topUp: { base: ['read_documnt'] } }, 'topUp.base names "read_documnt"'],
  ])('refuses %s', (_, options, what) => {
    expect(() => registryOf(options)).toThrow(ToolRegistryError)
    expect(() => registryOf(options)).toThrow(what)
  })
})

describe('specs({ only }) and run', () => {
  const registry = createToolRegistry({ tools, session: { trust: 'host' } })
  it('hold the same limit', async () => {
    const only = ['rename_files', 'read_document', 'none']
    expect(registry.specs({ only }).map(({ name }) => name)).toEqual(['read_document', 'rename_files'])
    expect(await registry.run(call('rename_files', { path: 'a' }), { only })).toMatchObject({ status: 'ok' })
    const outcome = await registry.run(call('send_mail', { path: 'a' }), { only })
    expect(outcome).toMatchObject({ status: 'error', problem: { code: 'tool/unknown' } })
    expect(outcome.text).toContain('Call one of: read_document, rename_files.')
    expect(outcome.text.replace('"send_mail"', '')).not.toContain('send_mail')
  })
})

describe('a sandbox session has no trace of a host tool', () => {
  const traces = /send.?mail|sends a mail|mailer/i
  it('in schema, errors, suggestions and find_tools', async () => {
    const registry = registryOf({ session: {}, observations: openObservationStore('/nowhere') })
    expect(JSON.stringify(registry.specs())).not.toMatch(traces)
    expect(registry.get('send_mail')).toBeUndefined()
    for (const [name, args] of [
      ['send_mai', {}],
      ['mailer', {}],
      ['SendMail', { path: 'x' }],
      ['find_tools', { description: 'send a mail to a person' }],
      ['find_tools', { description: 'send_mail' }],
      ['read_observation', { path: 'send_mai' }],
      ['read_document', { to: 'x' }],
    ] as const) {
      const outcome = await registry.run(call(name, args))
      const said = JSON.stringify([outcome, registry.specs()])
      // What the caller wrote itself may come back.
      const own = JSON.stringify(args).slice(1, -1)
      expect(said.replaceAll(name, '').replaceAll(own, '').replaceAll('send_mai', '')).not.toMatch(traces)
      expect(outcome).not.toMatchObject({ status: 'ok', text: 'send_mail' })
    }
  })

  it('nor of one that cannot be undone and is not named by the configuration', () => {
    const wipe = toolOf('wipe_disk', 'Wipes.', { irreversible: true })
    const options = { tools: [...tools, wipe], topUp: { base: [] } }
    const namesIn = (session: object) =>
      createToolRegistry({ tools: options.tools, session: { trust: 'host', ...session } })
        .specs()
        .map(({ name }) => name)
    expect(namesIn({ irreversible: [] })).not.toContain('wipe_disk')
    expect(namesIn({ irreversible: ['wipe_disk'] })).toContain('wipe_disk')
  })
})

describe('indexTools', () => {
  it('ranks names over descriptions over parameters, and several definitions of a name as one', () => {
    const search = indexTools([
      { name: 'a', description: 'About flights.', inputSchema: {} },
      { name: 'book_flight', description: 'Books.', inputSchema: {} },
      { name: 'c', description: 'x', inputSchema: { type: 'object', properties: { flight: {} } } },
      { name: 'a', description: 'Also about trains.', inputSchema: {} },
    ])
    expect(search('flights', 5)).toEqual(['book_flight', 'a', 'c'])
    expect(search('train', 5)).toEqual(['a'])
    expect(search('', 5)).toEqual([])
    expect(search('flights', 1)).toHaveLength(1)
  })

  it('compares words by their stems', () => {
    expect(wordsIn('getBookedFlights, please: Cities_ID')).toEqual(['book', 'flight', 'city', 'id'])
  })
})
