import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { connect, fixture, processesMarked, rawServer } from './__fixtures__/test-hosts.js'
import { trackProcessTree } from './process-tree.js'

const marker = `icm-test-${randomUUID()}`
afterEach(() => {
  // Only if a test failed: nothing of it may stay behind.
  for (const pid of processesMarked(marker)) process.kill(pid, 'SIGKILL')
})

const marked = (mode: string) => rawServer('raw', mode, { args: [fixture('raw-server'), mode, marker] })

describe.runIf(process.platform === 'linux')('after close nothing is left', () => {
  it('of a server that ends by itself', async () => {
    const host = await connect([marked('plain')], { closeGraceMs: 5_000 })
    await host.tools([{ server: 'raw', tools: 'all' }])
    expect(processesMarked(marker)).toHaveLength(1)
    await host.close()
    expect(processesMarked(marker)).toEqual([])
  })

  it('of a server that ignores the end of its input and SIGTERM', async () => {
    const host = await connect([marked('stubborn')])
    await host.tools([{ server: 'raw', tools: 'all' }])
    await host.close()
    expect(processesMarked(marker)).toEqual([])
  })

  it('of a stubborn server, at once when the host is aborted, also in the middle of the grace', async () => {
    for (const closeFirst of [false, true]) {
      const abort = new AbortController()
      const closeGraceMs = 600_000
      const host = await connect([marked('stubborn')], { closeGraceMs, signal: abort.signal })
      await host.tools([{ server: 'raw', tools: 'all' }])
      if (closeFirst) void host.close()
      abort.abort('stop')
      await host.close() // the grace would be ten minutes
      expect(processesMarked(marker)).toEqual([])
    }
  })

  it('of a server that was about to start when the host was aborted', async () => {
    const abort = new AbortController()
    const host = await connect([marked('stubborn')], { signal: abort.signal })
    abort.abort('stop')
    await host.close()
    await expect.poll(() => processesMarked(marker)).toEqual([])
  })

  it('of a server that hangs in its handshake when the host is aborted', async () => {
    const abort = new AbortController()
    const host = await connect([marked('mute')], { closeGraceMs: 600_000, signal: abort.signal })
    await expect.poll(() => processesMarked(marker)).toHaveLength(1)
    abort.abort('stop')
    await host.close()
    expect(processesMarked(marker)).toEqual([])
  })

  it('of a server behind a shell (F04)', async () => {
    const script = `"${process.execPath}" "${fixture('raw-server')}" stubborn ${marker}; true`
    const host = await connect([rawServer('raw', '', { command: 'sh', args: ['-c', script] })])
    await host.tools([{ server: 'raw', tools: 'all' }])
    expect(processesMarked(marker)).toHaveLength(2)
    await host.close()
    expect(processesMarked(marker)).toEqual([])
  })

  it('of a server whose child lives in a process group of its own', async () => {
    const host = await connect([marked('leaky')])
    await host.tools([{ server: 'raw', tools: 'all' }])
    expect(processesMarked(marker)).toHaveLength(2)
    await host.close()
    expect(processesMarked(marker)).toEqual([])
  })

  it('of a server that never came up', async () => {
    const host = await connect([marked('mute')], { handshakeTimeoutMs: 200 })
    await host.tools([{ server: 'raw', tools: 'all' }])
    expect(processesMarked(marker)).toEqual([])
  })

  it('of a server whose parent crashed while a child of it lives on', async () => {
    const orphan = `"${process.execPath}" -e "setInterval(() => {}, 1000) // ${marker}" & exec "${process.execPath}" "${fixture('raw-server')}" dead`
    const host = await connect([rawServer('raw', '', { command: 'sh', args: ['-c', orphan] })])
    await host.tools([{ server: 'raw', tools: 'all' }])
    expect(host.failures).toHaveLength(1)
    expect(processesMarked(marker)).toEqual([])
  })
})

describe.runIf(process.platform === 'linux')('trackProcessTree', () => {
  it('never takes a stranger for a member once the tree is dead', () => {
    const tree = trackProcessTree(2 ** 22 + 1) // above pid_max: there is no such process
    expect(tree.isAlive()).toBe(false)
    tree.signal('SIGKILL')
    expect(tree.isAlive()).toBe(false)
  })
})
