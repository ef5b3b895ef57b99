import { describe, expect, it } from 'vitest'
import { connect, rawServer, registryOf, sdkServer } from './__fixtures__/test-hosts.js'
import { connectServers } from './connect-servers.js'
import { McpHostError } from './errors.js'

describe('the allowlist', () => {
  it('gives exactly the allowed tools, in its order, under the server name', async () => {
    const host = await connect([sdkServer('files')])
    const { tools, missing } = await host.tools([
      { server: 'files', tools: ['fail_always', 'echo_text'] },
      { server: 'files', tools: ['echo_text'] },
    ])
    expect(tools.map(({ name }) => name)).toEqual(['files_fail_always', 'files_echo_text'])
    expect(missing).toEqual([])
    expect((await host.tools([{ server: 'files', tools: [] }])).tools).toEqual([])
  })

  it('names what is missing and what was probably meant', async () => {
    const host = await connect([sdkServer('files')])
    const { tools, missing } = await host.tools([
      { server: 'files', tools: ['echo_txt'] },
      { server: 'fils', tools: 'all' },
    ])
    expect(tools).toEqual([])
    expect(missing).toMatchObject([
      {
        server: 'files',
        tool: 'echo_txt',
        nearest: 'echo_text',
        available: expect.arrayContaining(['fail_always']),
      },
      { server: 'fils', nearest: 'files', available: ['files'] },
    ])
  })

  it('keeps two servers with the same tools apart', async () => {
    const registry = await registryOf([
      sdkServer('one', { env: { WHO: 'first' }, tools: { read_variable: { effect: 'read' } } }),
      sdkServer('two', { env: { WHO: 'second' }, tools: { read_variable: { effect: 'read' } } }),
    ])
    const read = async (name: string) =>
      (await registry.run({ id: '1', name, arguments: { name: 'WHO' } })).text
    expect(await read('one_read_variable')).toContain('first')
    expect(await read('two_read_variable')).toContain('second')
    // Without its prefix the name has two meanings, so it has none.
    expect(await read('read_variable')).toContain('was not called')
  })

  it('of all tools leaves out one that cannot be used and keeps the others; of named ones it is missing (F10, B16)', async () => {
    const notices: string[] = []
    const host = await connect([rawServer('raw', 'plain')], { onNotice: (_, notice) => notices.push(notice) })
    const { tools, missing } = await host.tools([{ server: 'raw', tools: 'all' }])
    expect(tools.map(({ name }) => name)).toContain('raw_bad_output')
    expect(tools.map(({ name }) => name)).not.toContain('raw_bad_input')
    expect(missing).toEqual([])
    expect(notices).toEqual([
      expect.stringContaining('A tool without a name in the list was left out: name'),
      expect.stringMatching(/"bad_input" is left out.* not compiled/s),
    ])
    const named = await host.tools([{ server: 'raw', tools: ['bad_input', 'bad_output'] }])
    expect(named.tools).toHaveLength(1)
    expect(named.missing).toMatchObject([
      { server: 'raw', tool: 'bad_input', reason: expect.stringContaining('not compiled') },
    ])
  })

  it.each([
    ['paged', ['raw_one', 'raw_two', 'raw_three']],
    ['looping', ['raw_one', 'raw_two']],
  ])('reads a list that is %s', async (mode, names) => {
    const host = await connect([rawServer('raw', mode)])
    const { tools } = await host.tools([{ server: 'raw', tools: 'all' }])
    expect(tools.map(({ name }) => name)).toEqual(names)
  })
})

describe('a server that does not come up', () => {
  const failureOf = async (server: Parameters<typeof connect>[0][number], options = {}) => {
    const host = await connect([server], options)
    const { missing } = await host.tools([{ server: server.name, tools: 'all' }])
    expect(host.failures).toHaveLength(1)
    expect(missing).toEqual([{ server: server.name, reason: host.failures[0]?.error.what, available: [] }])
    return host.failures[0]?.error
  }

  it('ends at once', async () => {
    const error = await failureOf(rawServer('dead', 'dead'))
    expect(error).toBeInstanceOf(McpHostError)
    expect(error).toMatchObject({
      code: 'mcp/handshake-failed',
      what: 'MCP server "dead" ended with exit code 3.',
    })
  })

  it('is no program', async () => {
    const error = await failureOf({ name: 'gone', kind: 'stdio', command: 'no-such-program-here' })
    expect(error?.code).toBe('mcp/not-started')
    expect(error?.message).toContain('"no-such-program-here" was not found. It was looked for in PATH: ')
  })

  it('never answers', async () => {
    const error = await failureOf(rawServer('mute', 'mute'), { handshakeTimeoutMs: 300 })
    expect(error).toMatchObject({
      code: 'mcp/handshake-timeout',
      why: expect.stringContaining('may still be installing'),
    })
  })

  it('loses its answer in noise on standard output, which is named (F02)', async () => {
    const error = await failureOf(rawServer('noisy', 'noisy'), { handshakeTimeoutMs: 3_000 })
    expect(error?.code).toBe('mcp/handshake-timeout')
    expect(error?.why).toContain('text that is no message: "loading model… {')
  })

  it('misses a variable, and is not started (F17)', async () => {
    let started = 0
    const startProcess = () => {
      started += 1
      throw new Error('not to be called')
    }
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder is what is tested.
    const error = await failureOf(sdkServer('keyed', { env: { KEY: '${ICM_NO_SUCH_VARIABLE}' } }), {
      startProcess,
    })
    expect(error?.code).toBe('mcp/missing-variable')
    expect(started).toBe(0)
  })

  it('inside this process', async () => {
    const error = await failureOf({
      name: 'inner',
      kind: 'in-memory',
      connect: () => Promise.reject(new Error('no library')),
    })
    expect(error?.what).toContain('no library')
  })

  it('holds up nobody else (F06)', async () => {
    const host = await connect([rawServer('mute', 'mute'), rawServer('dead', 'dead'), sdkServer('files')])
    const { tools } = await host.tools([{ server: 'files', tools: ['echo_text'] }])
    expect(tools).toHaveLength(1)
    expect(host.failures.map(({ server }) => server)).not.toContain('mute')
  })
})

describe('connectServers', () => {
  it('survives a line of noise and reports it once', async () => {
    const notices: string[] = []
    const host = await connect([rawServer('chatty', 'chatty')], {
      onNotice: (server, notice) => notices.push(`${server}: ${notice}`),
    })
    expect((await host.tools([{ server: 'chatty', tools: ['show_blocks'] }])).tools).toHaveLength(1)
    expect(notices).toContain(
      'chatty: Its standard output has text that is no message: "welcome to the server".',
    )
  })

  it('passes on what servers write to standard error', async () => {
    const lines: string[] = []
    const host = await connect([sdkServer('files')], {
      onStderr: (server, line) => lines.push(`${server}: ${line}`),
    })
    await host.tools([{ server: 'files', tools: 'all' }])
    await expect.poll(() => lines).toContain('files: fixture server ready')
  })

  it('refuses two servers of one name, before any is started', async () => {
    await expect(connectServers([sdkServer('files'), rawServer('files', 'plain')])).rejects.toMatchObject({
      code: 'mcp/bad-config',
      what: 'The MCP servers were not started: two servers are named "files".',
    })
  })

  it('stops everything when it is aborted', async () => {
    const abort = new AbortController()
    const host = await connect([rawServer('mute', 'mute')], { signal: abort.signal })
    const waiting = host.tools([{ server: 'mute', tools: 'all' }])
    abort.abort('stop')
    expect((await waiting).missing).toEqual([
      { server: 'mute', reason: 'MCP server "mute" is closed.', available: [] },
    ])
    await expect(connectServers([], { signal: abort.signal })).rejects.toBe('stop')
  })

  it('lets a caller stop waiting without stopping the server', async () => {
    const host = await connect([rawServer('mute', 'mute'), sdkServer('files')])
    const abort = new AbortController()
    const waiting = host.tools([{ server: 'mute', tools: 'all' }], { signal: abort.signal })
    abort.abort('enough')
    await expect(waiting).rejects.toBe('enough')
    expect((await host.tools([{ server: 'files', tools: ['echo_text'] }])).tools).toHaveLength(1)
  })
})
