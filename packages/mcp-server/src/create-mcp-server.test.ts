import { createToolRegistry, defineTool } from '@icm/tool-registry'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createMcpServer } from './create-mcp-server.js'

const readNote = defineTool({
  name: 'read_note',
  description: 'Reads a note.',
  input: z.object({ url: z.string(), lines: z.number().int().default(20) }),
  aliases: { url: ['address'] },
  addressParameters: ['url'],
  limit: 500,
  idempotent: true,
  trust: 'sandbox',
  blastRadius: () => 0,
  run: ({ url, lines }) => `${lines} lines of ${url}`,
})
const click = defineTool({
  name: 'click',
  description: 'Clicks.',
  input: { type: 'object', properties: {} },
  idempotent: false,
  repeatable: true,
  output: 'untrusted',
  blastRadius: () => 1,
  run: () => 'clicked',
})
const deleteFiles = defineTool({
  name: 'delete_files',
  description: 'Deletes.',
  input: { type: 'object', properties: { count: { type: 'integer' } } },
  irreversible: true,
  blastRadius: ({ count }) => Number(count),
  run: () => 'deleted',
})
const workSlowly = defineTool({
  name: 'work_slowly',
  description: 'Reports progress, then waits.',
  input: { type: 'object', properties: { wait: { type: 'boolean' } } },
  blastRadius: () => 1,
  run: async ({ wait }, { signal, onProgress }) => {
    onProgress?.({ done: 1, total: 2, note: 'half' })
    if (wait === true) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      aborts.push(signal.reason)
    }
    return 'finished'
  },
})
const aborts: unknown[] = []
const clients: Client[] = []
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())))

async function connect(trust: 'host' | 'sandbox' = 'host') {
  const registry = createToolRegistry({
    tools: [readNote, click, deleteFiles, workSlowly],
    session: { trust },
  })
  const server = createMcpServer(registry, { name: 'notes', version: '1.2.3', instructions: 'Read first.' })
  const client = new Client({ name: 'test', version: '1' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(far), client.connect(near)])
  clients.push(client)
  return client
}

describe('tools/list', () => {
  it('has raw schemas, hints that are known, and the whole declaration', async () => {
    const client = await connect()
    expect(client.getServerVersion()).toMatchObject({ name: 'notes', version: '1.2.3' })
    expect(client.getInstructions()).toBe('Read first.')
    const { tools } = await client.listTools()
    expect(tools[0]).toEqual({
      name: 'read_note',
      description: 'Reads a note.',
      inputSchema: {
        type: 'object',
        properties: { url: { type: 'string' }, lines: { type: 'integer', default: 20 } },
        required: ['url'],
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
      _meta: {
        'icm/tool': {
          effect: 'read',
          radius: 0,
          limit: 500,
          idempotent: true,
          repeatable: false,
          irreversible: false,
          trust: 'sandbox',
          output: 'untrusted',
          addressParameters: ['url'],
          aliases: { url: ['address'] },
        },
      },
    })
    const [, clickTool, deleteTool] = tools
    expect(clickTool?.annotations).toEqual({ readOnlyHint: false, idempotentHint: false })
    expect(clickTool?._meta).toMatchObject({ 'icm/tool': { effect: 'write', radius: 1, repeatable: true } })
    // Its radius depends on the arguments, so nothing is claimed about reading.
    expect(deleteTool?.annotations).toEqual({ destructiveHint: true })
    expect(deleteTool?._meta).toMatchObject({ 'icm/tool': { effect: 'write', irreversible: true } })
    expect(deleteTool?._meta).not.toHaveProperty(['icm/tool', 'radius'])
  })

  it('shows a sandbox only what it may use', async () => {
    const client = await connect('sandbox')
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['read_note'])
    const result = await client.callTool({ name: 'click', arguments: {} })
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Call one of: read_note.') }],
    })
  })
})

describe('tools/call', () => {
  it('runs with mended arguments and fences nothing', async () => {
    const client = await connect()
    const result = await client.callTool({ name: 'read_note', arguments: { Address: 'a.md', lines: '3' } })
    expect(result).toEqual({ content: [{ type: 'text', text: '3 lines of a.md' }] })
  })

  it('answers faults as results', async () => {
    const client = await connect()
    const bad = await client.callTool({ name: 'read_note', arguments: {} })
    expect(bad).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('"url" is missing; expected string.') }],
      _meta: {
        'icm/outcome': 'error',
        'icm/problem': {
          code: 'tool/bad-arguments',
          what: 'Tool "read_note" was not called: its arguments are wrong.',
          why: '"url" is missing; expected string.',
          instead: 'Call read_note again with {"url": string, "lines"?: integer}.',
        },
      },
    })
    const consent = await client.callTool({ name: 'delete_files', arguments: { count: 1 } })
    expect(consent).toMatchObject({ isError: true, _meta: { 'icm/outcome': 'needs_consent' } })
  })

  it('reports progress to a client that asks for it', async () => {
    const client = await connect()
    const seen: unknown[] = []
    const result = await client.callTool({ name: 'work_slowly', arguments: {} }, undefined, {
      onprogress: (progress) => seen.push(progress),
    })
    expect(result.content).toEqual([{ type: 'text', text: 'finished' }])
    expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }])
  })

  it('aborts the tool when the client cancels', async () => {
    const client = await connect()
    const abort = new AbortController()
    const call = client.callTool({ name: 'work_slowly', arguments: { wait: true } }, undefined, {
      signal: abort.signal,
      onprogress: () => abort.abort('enough'),
    })
    await expect(call).rejects.toThrow('enough')
    await expect.poll(() => aborts).toEqual(['enough'])
  })
})
