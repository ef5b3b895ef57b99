import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acquireLock, readLockOwner } from './lock.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'icm-lock-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function lockFile(name: string, owner: object): string {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(owner))
  return path
}

/** The pid of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid
}

describe('acquireLock', () => {
  it('names its owner, refuses a second one, and is free after release', async () => {
    const path = join(folder, 'deep', 'lock')
    const lock = await acquireLock(path, 'icm run')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      pid: process.pid,
      host: hostname(),
      purpose: 'icm run',
    })
    await expect(acquireLock(path, 'icm run')).rejects.toMatchObject({
      code: 'lock/held',
      details: { pid: process.pid },
    })
    await lock.release()
    await lock.release()
    expect(existsSync(path)).toBe(false)
    await (await acquireLock(path, 'again')).release()
    expect(readdirSync(join(folder, 'deep'))).toEqual([])
  })

  it('is taken over from a dead process of this host, and says from whom', async () => {
    const pid = deadPid()
    const path = lockFile('dead', { pid, host: hostname(), since: 'x', purpose: 'icm run' })
    const lock = await acquireLock(path, 'next')
    expect(lock.takenOverFrom).toMatchObject({ pid })
    await lock.release()
  })

  it.skipIf(process.platform !== 'linux')(
    'is taken over when the pid now belongs to another process (Linux)',
    async () => {
      const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'])
      const path = lockFile('reused', {
        pid: other.pid,
        host: hostname(),
        since: 'x',
        purpose: 'p',
        processStart: '1',
      })
      const lock = await acquireLock(path, 'next')
      expect(lock.takenOverFrom).toMatchObject({ pid: other.pid })
      await lock.release()
      other.kill('SIGKILL')
    },
  )

  it.skipIf(process.platform !== 'linux')(
    'is taken over from a killed process that nobody has reaped (Linux)',
    async () => {
      const keeper = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const pid = Number(await new Promise<Buffer>((done) => keeper.stdout.once('data', done)))
      while (!/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8')))
        await new Promise((done) => setTimeout(done, 10))
      const path = lockFile('zombie', { pid, host: hostname(), since: 'x', purpose: 'p' })
      await (await acquireLock(path, 'next')).release()
      keeper.kill('SIGKILL')
    },
  )

  it('is never taken over from a living process, another host or an unreadable file', async () => {
    const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'])
    const living = lockFile('living', { pid: other.pid, host: hostname(), since: 'x', purpose: 'p' })
    await expect(acquireLock(living, 'next')).rejects.toMatchObject({ code: 'lock/held' })
    expect(await readLockOwner(living)).toMatchObject({ pid: other.pid })
    other.kill('SIGKILL')
    const foreign = lockFile('foreign', { pid: deadPid(), host: 'elsewhere.test', since: 'x', purpose: 'p' })
    await expect(acquireLock(foreign, 'next')).rejects.toMatchObject({
      code: 'lock/held',
      instead: expect.stringContaining(foreign),
    })
    const broken = join(folder, 'broken')
    writeFileSync(broken, '{"pid":')
    await expect(acquireLock(broken, 'next')).rejects.toMatchObject({ code: 'lock/held' })
    expect(readFileSync(broken, 'utf8')).toBe('{"pid":')
  })

  it('refuses whatever cannot be a lock and leaves it where it is: broken, of another shape, a folder, a dead link', async () => {
    const dead = { pid: deadPid(), host: hostname(), since: 'x', purpose: 'p' }
    const contents = ['', 'null', '[]', '"x"', '\0\x01\xff', '{}']
    const owners = [
      { ...dead, pid: 0 },
      { ...dead, pid: -1 },
      { ...dead, pid: 1.5 },
      { pid: dead.pid, host: dead.host },
    ]
    for (const text of [...contents, ...owners.map((owner) => JSON.stringify(owner))]) {
      const path = join(folder, 'odd')
      writeFileSync(path, text)
      await expect(acquireLock(path, 'next')).rejects.toMatchObject({
        code: 'lock/held',
        instead: expect.stringContaining(`delete ${path}`),
      })
      expect(readFileSync(path, 'utf8')).toBe(text)
      expect(await readLockOwner(path)).toBeUndefined()
    }
    mkdirSync(join(folder, 'a-folder'))
    symlinkSync(join(folder, 'nowhere'), join(folder, 'a-link'))
    for (const name of ['a-folder', 'a-link']) {
      await expect(acquireLock(join(folder, name), 'next')).rejects.toMatchObject({
        code: 'file/in-the-way',
        details: { obstacle: join(folder, name) },
      })
    }
  })

  it('lets exactly one of many take over a dead lock', async () => {
    const path = lockFile('race', { pid: deadPid(), host: hostname(), since: 'x', purpose: 'p' })
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => acquireLock(path, `taker ${index}`)),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  })

  it('does not remove a lock that somebody else has taken meanwhile', async () => {
    const path = join(folder, 'stolen')
    const lock = await acquireLock(path, 'first')
    writeFileSync(path, JSON.stringify({ pid: 1, host: 'elsewhere.test', since: 'x', purpose: 'p' }))
    await lock.release()
    expect(existsSync(path)).toBe(true)
  })
})
