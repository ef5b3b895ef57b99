import { randomUUID } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, SafeFilesError, systemErrorCode, writeFileAtomically } from '@icm/safe-files'
import type { ConsentBook, StoredConsent } from './effect-store.js'
import { isObject, isOwnVersion, isText, listRecords, readRecord, recordText } from './record-files.js'

/**
 * Consents as plain files, `<key>.json` each. An answer is taken by renaming its file into `used/`, which only one
 * process can do; what was used stays there as evidence.
 */
export function createFileConsents(folder: string): ConsentBook {
  const pathOf = (key: string) => join(folder, `${key}.json`)
  const usedFolder = join(folder, 'used')
  return {
    ask: async (consent) => {
      try {
        await writeFileAtomically(pathOf(consent.key), recordText(consent), { exclusive: true })
      } catch (error) {
        if (!(SafeFilesError.isInstance(error) && error.code === 'file/exists')) throw error
      }
    },
    take: async (key) => {
      const found = await readRecord(pathOf(key), isStoredConsent)
      if (found === undefined || found.state === 'waiting') return undefined
      await makeFolder(usedFolder)
      const used = join(usedFolder, `${key}-${randomUUID()}.json`)
      try {
        await rename(pathOf(key), used)
      } catch (error) {
        if (systemErrorCode(error) === 'ENOENT') return undefined // another process was faster
        throw error
      }
      // What was moved counts, not what was read before.
      const taken = await readRecord(used, isStoredConsent)
      if (taken === undefined || taken.state === 'waiting') {
        await rename(used, pathOf(key))
        return undefined
      }
      return {
        approved: taken.state === 'approved',
        ...(taken.note === undefined ? {} : { note: taken.note }),
      }
    },
    list: async () => {
      const consents = await listRecords(folder, isStoredConsent)
      return [...consents].sort((left, right) => left.askedAt.localeCompare(right.askedAt))
    },
    answer: async (key, { approved, note }) => {
      const found = await readRecord(pathOf(key), isStoredConsent)
      if (found?.state !== 'waiting') return undefined
      const answered: StoredConsent = {
        ...found,
        state: approved ? 'approved' : 'rejected',
        decidedAt: new Date().toISOString(),
        ...(note === undefined ? {} : { note }),
      }
      await writeFileAtomically(pathOf(key), recordText(answered))
      return answered
    },
  }
}

function isStoredConsent(value: unknown): value is StoredConsent {
  return (
    isObject(value) &&
    isOwnVersion(value) &&
    [value.key, value.scope, value.askedAt].every(isText) &&
    isObject(value.request) &&
    ['waiting', 'approved', 'rejected'].some((state) => state === value.state)
  )
}
