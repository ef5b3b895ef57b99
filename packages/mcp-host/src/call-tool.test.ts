import { describe, expect, it } from 'vitest'
import { connect, rawServer, registryOf, runApproved, sdkServer } from './__fixtures__/test-hosts.js'

describe('what a server answers', () => {
  it('is shown as text, whatever its kind, and no effect is lost to an odd block (C06, F08)', async () => {
    const registry = await registryOf([rawServer('raw', 'plain')])
    const outcome = await runApproved(registry, 'raw_show_blocks', {})
    expect(outcome.status).toBe('ok')
    expect(outcome.text.split('\n').slice(1, -1)).toEqual([
      'plain text',
      '[file:///notes.md]',
      '# Notes',
      '[binary resource file:///a.bin application/zip, 3 bytes, not shown]',
      '[link] A page: https://example.org/a – about A',
      '[image image/png, 8 bytes, not shown]',
      '[content of the unknown type "hologram", 36 characters of JSON, not shown]',
    ])
    expect((await runApproved(registry, 'raw_give_structured', {})).text).toContain('{"a":1}')
  })

  it('with isError is an error, with its text (F07)', async () => {
    const registry = await registryOf([sdkServer('files'), rawServer('raw', 'plain')])
    const failed = await runApproved(registry, 'files_fail_always', {})
    expect(failed).toMatchObject({ status: 'error', problem: { code: 'tool/failed' } })
    expect(failed.text).toContain(
      'reported an error:\n<untrusted from="files_fail_always">\nthe disk is on fire',
    )
    expect((await runApproved(registry, 'raw_refuse_structured', {})).text).toContain('quota used up')
  })

  it('with nothing in it is said to be empty (C03)', async () => {
    const registry = await registryOf([sdkServer('files')])
    expect(await runApproved(registry, 'files_return_nothing', {})).toMatchObject({
      status: 'ok',
      text: 'Tool "files_return_nothing" completed and returned no output.',
    })
  })

  it('as a JSON-RPC error after the call leaves doubt, unless it says that nothing was executed', async () => {
    const registry = await registryOf([rawServer('raw', 'plain')])
    const internal = await runApproved(registry, 'raw_bad_output', {})
    expect(internal.status).toBe('in_doubt')
    const refused = await runApproved(registry, 'raw_refuse_call', {})
    expect(refused.status).toBe('error')
    expect(refused.text).toContain('no such parameter')
  })
})

describe('time and abort', () => {
  it('gives a call that reports progress more time (F01)', async () => {
    const registry = await registryOf([sdkServer('files', { callTimeoutMs: 1_500 })])
    const outcome = await runApproved(registry, 'files_work_slowly', { steps: 5, stepMs: 400 })
    expect(outcome.text).toContain('finished')
  })

  it('ends a silent call, tells the server, and the effect is in doubt', async () => {
    const lines: string[] = []
    const registry = await registryOf([sdkServer('files', { callTimeoutMs: 300 })], {
      onStderr: (_, line) => lines.push(line),
    })
    const outcome = await runApproved(registry, 'files_wait_silently', {})
    expect(outcome).toMatchObject({ status: 'in_doubt', problem: { code: 'tool/timed-out' } })
    await expect.poll(() => lines).toContain('cancelled: The client cancelled the call.')
  })

  it('passes an abort on, with a reason that says nothing about this side (F18)', async () => {
    const lines: string[] = []
    const abort = new AbortController()
    const onStderr = (_: string, line: string) => {
      lines.push(line)
      if (line === 'waiting') abort.abort(new Error('secret plan'))
    }
    const registry = await registryOf([sdkServer('files')], { onStderr })
    const outcome = await runApproved(registry, 'files_wait_silently', {}, abort.signal)
    expect(outcome).toMatchObject({ status: 'in_doubt', problem: { code: 'tool/aborted' } })
    await expect.poll(() => lines).toContain('cancelled: The client cancelled the call.')
  })

  it('rethrows the abort of a read untouched', async () => {
    const abort = new AbortController()
    const reason = new Error('Ctrl-C')
    const registry = await registryOf(
      [sdkServer('files', { tools: { wait_silently: { effect: 'read' } } })],
      {
        onStderr: (_, line) => line === 'waiting' && abort.abort(reason),
      },
    )
    await expect(runApproved(registry, 'files_wait_silently', {}, abort.signal)).rejects.toBe(reason)
  })
})

describe('a server that ends during a call', () => {
  it('fails it at once, in doubt, and answers later calls clearly (F05)', async () => {
    const registry = await registryOf([sdkServer('files', { tools: { echo_text: { effect: 'read' } } })])
    const waiting = runApproved(registry, 'files_wait_silently', {})
    const ending = await runApproved(registry, 'files_end_process', { code: 7 })
    expect(ending.status).toBe('in_doubt')
    expect(ending.text).toContain('MCP server "files" ended with exit code 7 during the call.')
    expect((await waiting).status).toBe('in_doubt')
    const later = await runApproved(registry, 'files_return_nothing', {})
    expect(later.status).toBe('error')
    expect(later.text).toBe(
      'The call was not sent: MCP server "files" ended with exit code 7. A server that has ended is not started again during a run. Go on without its tools.',
    )
    expect(await registry.run({ id: '2', name: 'files_echo_text', arguments: { text: 'x' } })).toMatchObject({
      status: 'error',
    })
  })

  it('leaves a read as a plain error', async () => {
    const registry = await registryOf([sdkServer('files', { tools: { end_process: { effect: 'read' } } })])
    expect((await runApproved(registry, 'files_end_process', { code: 1 })).status).toBe('error')
  })
})

it('a closed host answers calls clearly', async () => {
  const host = await connect([sdkServer('files')])
  const { tools } = await host.tools([{ server: 'files', tools: ['echo_text'] }])
  await host.close()
  await host.close()
  const context = { signal: new AbortController().signal }
  await expect(Promise.resolve(tools[0]?.run({ text: 'x' }, context))).rejects.toMatchObject({
    code: 'mcp/server-gone',
  })
  expect(await host.tools([{ server: 'files', tools: 'all' }])).toMatchObject({
    tools: [],
    missing: [{ server: 'files', reason: 'MCP server "files" ended with exit code 0.' }],
  })
})
