import { readFileSync } from 'node:fs'
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { SafeFilesError, systemErrorCode, writeError } from './errors.js'
import { findObstacle } from './find-obstacle.js'
import { makeFolder } from './make-folder.js'
import { linkExclusively, temporaryName } from './write-file-atomically.js'

/** Who holds a lock, as its file says. */
export interface LockOwner {
  readonly pid: number
  readonly host: string
  /** ISO time at which it was taken. */
  readonly since: string
  /** What the holder is doing, for the message to others. */
  readonly purpose: string
  /** The kernel's start time of the process (Linux), so that a reused pid is not taken for the holder. */
  readonly processStart?: string
}

export interface Lock {
  readonly path: string
  /** The dead process whose lock was taken over, if there was one. */
  readonly takenOverFrom?: LockOwner
  /** Idempotent; leaves a lock that somebody else has taken meanwhile. */
  release(): Promise<void>
}

const heartbeatMs = 10_000
/**
 * Takes an exclusive lock as a file that names its owner, or throws `lock/held` at once.
 *
 * A lock is taken over only when its process is provably dead: same host and no such process (or another one with
 * that pid). A lock of another host, or one that cannot be read, is never taken over; the error says how to clear
 * it. The file's modification time is a heartbeat (every 10 s).
 */
export async function acquireLock(path: string, purpose: string): Promise<Lock> {
  const owner: LockOwner = {
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
    purpose,
    ...ownStart(),
  }
  const text = `${JSON.stringify(owner)}\n`
  for (let attempt = 0; attempt < 50; attempt++) {
    if (await createExclusively(path, text)) return hold(path, text, undefined)
    const found = await readLock(path)
    if (found === undefined) continue // released between the two calls
    const holder = parseOwner(found)
    if (holder === undefined || !isProvablyDead(holder)) throw await held(path, holder)
    if (await takeOver(path, found, text)) return hold(path, text, holder)
  }
  throw await held(path, undefined)
}

/** A folder or a broken link in the lock's place will not go away by itself: that is not "held" but a fault. */
async function readLock(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(async (error: unknown) => {
    const obstacle = await findObstacle(path)
    if (obstacle !== undefined) throw obstacle
    if (systemErrorCode(error) === 'ENOENT') return undefined
    throw writeError(path, error)
  })
}

/** The owner of a lock file, undefined when nobody holds it or its file cannot be read. */
export async function readLockOwner(path: string): Promise<LockOwner | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  const owner = text === undefined ? undefined : parseOwner(text)
  return owner !== undefined && !isProvablyDead(owner) ? owner : undefined
}

// A hard link appears with its content or not at all, so that no reader ever sees an empty lock.
async function createExclusively(path: string, text: string): Promise<boolean> {
  const temporary = temporaryName(path)
  await makeFolder(dirname(path))
  try {
    await writeFile(temporary, text, { flag: 'wx' })
    await linkExclusively(temporary, path)
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false
    throw writeError(path, error)
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
}

/**
 * Replaces a dead owner's lock by ours. Only the process that holds the claim file may do it, and it looks again
 * under the claim: without that, a slow second taker would remove the lock of a fast first one. The replacement is
 * one rename, so that the lock is never free in between.
 */
async function takeOver(path: string, expected: string, text: string): Promise<boolean> {
  const claim = `${path}.takeover`
  if (!(await createExclusively(claim, text))) {
    const claimant = await readFile(claim, 'utf8').then(parseOwner, () => undefined)
    if (claimant !== undefined && isProvablyDead(claimant)) await rm(claim, { force: true })
    else await new Promise((done) => setTimeout(done, 5))
    return false
  }
  const unchanged = (await readFile(path, 'utf8').catch(() => undefined)) === expected
  if (unchanged) await rename(claim, path)
  else await rm(claim, { force: true })
  return unchanged
}

function hold(path: string, text: string, takenOverFrom: LockOwner | undefined): Lock {
  const beat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => undefined)
  }, heartbeatMs)
  beat.unref()
  let released = false
  return {
    path,
    ...(takenOverFrom === undefined ? {} : { takenOverFrom }),
    async release() {
      if (released) return
      released = true
      clearInterval(beat)
      const current = await readFile(path, 'utf8').catch(() => undefined)
      if (current === text) await rm(path, { force: true })
    },
  }
}

function parseOwner(text: string): LockOwner | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isOwner(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isOwner(value: unknown): value is LockOwner {
  if (typeof value !== 'object' || value === null) return false
  const owner: { readonly [key in keyof LockOwner]?: unknown } = value
  const texts = [owner.host, owner.since, owner.purpose, owner.processStart ?? '']
  // Zero and negative pids name groups of processes; a signal to them says nothing about a holder.
  return (
    Number.isInteger(owner.pid) && Number(owner.pid) > 0 && texts.every((text) => typeof text === 'string')
  )
}

function isProvablyDead(owner: LockOwner): boolean {
  if (owner.host !== hostname()) return false
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    return systemErrorCode(error) === 'ESRCH'
  }
  const { processStart, state } = processStartOf(owner.pid)
  // A zombie (killed, not yet reaped by its parent) holds nothing any more.
  if (state === 'Z' || state === 'X') return true
  return owner.processStart !== undefined && processStart !== undefined && processStart !== owner.processStart
}

function ownStart(): { processStart?: string } {
  const { processStart } = processStartOf(process.pid)
  return processStart === undefined ? {} : { processStart }
}

function processStartOf(pid: number): { processStart?: string; state?: string } {
  try {
    // Field 22; the second one, the command, may contain spaces and parentheses.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    const [state] = fields ?? []
    return fields?.[19] === undefined
      ? {}
      : { processStart: fields[19], ...(state === undefined ? {} : { state }) }
  } catch {
    return {}
  }
}

async function held(path: string, owner: LockOwner | undefined): Promise<SafeFilesError> {
  const beat = await stat(path).then(
    (file) => `, last sign of life ${Math.round((Date.now() - file.mtimeMs) / 1000)} s ago`,
    () => '',
  )
  const who =
    owner === undefined
      ? 'an unknown process'
      : `process ${owner.pid} on ${owner.host} (${owner.purpose}, since ${owner.since}${beat})`
  const elsewhere = owner === undefined || owner.host !== hostname()
  return new SafeFilesError({
    code: 'lock/held',
    what: `The workspace is in use by ${who}.`,
    why: 'Two runs at once would overwrite each other.',
    instead: elsewhere
      ? `Wait for it to end. If you know that it is gone, delete ${path} and run the same command again.`
      : `Wait for it to end, or stop it, and run the same command again. If that process is something else, delete ${path}.`,
    details: {
      path,
      ...(owner === undefined ? {} : { pid: owner.pid, host: owner.host, since: owner.since }),
    },
    retryable: true,
  })
}
