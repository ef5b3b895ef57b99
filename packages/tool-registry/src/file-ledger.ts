import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { acquireLock, type Lock, readLockOwner, SafeFilesError, writeFileAtomically } from '@icm/safe-files'
import type { EffectClaim, EffectLedger, EffectRecord, EffectState } from './effect-store.js'
import { isObject, isOwnVersion, isText, listRecords, readRecord, recordText } from './record-files.js'

const STATES: readonly EffectState[] = ['sent', 'done', 'failed', 'in_doubt', 'declined']

/**
 * A ledger of plain files, `<key>.json` for the record and `<key>.lock` for the claim. The lock is created exclusively
 * and names its process, so a dead claimant is recognised: had it not sent yet, the effect is free again; had it, the
 * effect is in doubt. Every record is on disk (fsync) before the call that writes it returns.
 */
export function createFileLedger(folder: string): EffectLedger {
  const recordPath = (key: string) => join(folder, `${key}.json`)
  const lockPath = (key: string) => join(folder, `${key}.lock`)
  const read = (key: string) => readRecord(recordPath(key), isEffectRecord)
  const write = (record: EffectRecord) => writeFileAtomically(recordPath(record.key), recordText(record))

  return {
    claim: async (key) => {
      // Most repeats end here: what has an outcome, or is known to have none, needs no claim.
      const known = await read(key)
      if (known !== undefined && known.state !== 'sent' && known.state !== 'failed') {
        return { status: 'known', record: known }
      }
      const owner = await readLockOwner(lockPath(key))
      if (owner !== undefined) return { status: 'busy', holder: `process ${owner.pid} on ${owner.host}` }
      const lock = await tryLock(lockPath(key), 'an effect of a tool')
      if ('holder' in lock) return { status: 'busy', holder: lock.holder }
      try {
        const record = await read(key)
        if (record === undefined || record.state === 'failed') {
          return { status: 'claimed', claim: hold(lock, write) }
        }
        // Written down, so that the next one need not take the lock to find it out.
        const inDoubt = record.state === 'sent' ? ({ ...record, state: 'in_doubt' } as const) : record
        if (inDoubt !== record) await write(inDoubt)
        await lock.release()
        return { status: 'known', record: inDoubt }
      } catch (error) {
        await lock.release()
        throw error
      }
    },
    list: async () => {
      const records = await listRecords(folder, isEffectRecord)
      const seen = await Promise.all(
        records.map(async (record) => {
          if (record.state !== 'sent') return record
          const owner = await readLockOwner(lockPath(record.key))
          if (owner !== undefined) return record
          // Its process may have ended well between the two looks.
          const now = (await read(record.key)) ?? record
          return now.state === 'sent' ? ({ ...now, state: 'in_doubt' } as const) : now
        }),
      )
      return seen.sort((left, right) => left.sentAt.localeCompare(right.sentAt))
    },
    settle: async (key, answer) => {
      const lock = await tryLock(lockPath(key), 'a decision on an effect')
      if ('holder' in lock) return undefined
      try {
        const record = await read(key)
        if (record?.state !== 'sent' && record?.state !== 'in_doubt') return undefined
        if (answer.approved) await rm(recordPath(key), { force: true })
        else
          await write({
            ...record,
            state: 'declined',
            ...(answer.note === undefined ? {} : { note: answer.note }),
          })
        return { ...record, state: 'in_doubt' }
      } finally {
        await lock.release()
      }
    },
  }
}

function hold(lock: Lock, write: (record: EffectRecord) => Promise<void>): EffectClaim {
  return {
    markSent: write,
    finish: async (record) => {
      try {
        await write(record)
      } finally {
        await lock.release()
      }
    },
    release: () => lock.release(),
  }
}

async function tryLock(path: string, purpose: string): Promise<Lock | { readonly holder: string }> {
  try {
    return await acquireLock(path, purpose)
  } catch (error) {
    if (!(SafeFilesError.isInstance(error) && error.code === 'lock/held')) throw error
    const { pid, host } = error.details
    return {
      holder: pid === undefined ? `whoever holds ${path}` : `process ${String(pid)} on ${String(host)}`,
    }
  }
}

function isEffectRecord(value: unknown): value is EffectRecord {
  return (
    isObject(value) &&
    isOwnVersion(value) &&
    [value.key, value.toolName, value.scope, value.sentAt].every(isText) &&
    isObject(value.arguments) &&
    STATES.some((state) => state === value.state)
  )
}
