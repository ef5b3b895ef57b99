import type { EffectRecord, EffectStore, StoredConsent } from './effect-store.js'

/** A store that lives as long as the process: for programs whose runs do not outlive it, and for tests. */
export function createMemoryEffectStore(): EffectStore {
  const records = new Map<string, EffectRecord>()
  const claimed = new Set<string>()
  const consents = new Map<string, StoredConsent>()
  return {
    ledger: {
      claim: async (key) => {
        const record = records.get(key)
        if (claimed.has(key)) return { status: 'busy', holder: 'another call of this process' }
        if (record !== undefined && record.state !== 'failed') return { status: 'known', record }
        claimed.add(key)
        return {
          status: 'claimed',
          claim: {
            markSent: async (sent) => {
              records.set(key, sent)
            },
            finish: async (ended) => {
              records.set(key, ended)
              claimed.delete(key)
            },
            release: async () => {
              claimed.delete(key)
            },
          },
        }
      },
      list: async () => [...records.values()],
      settle: async (key, { approved, note }) => {
        const record = records.get(key)
        if (record?.state !== 'in_doubt') return undefined
        if (approved) records.delete(key)
        else records.set(key, { ...record, state: 'declined', ...(note === undefined ? {} : { note }) })
        return record
      },
    },
    consents: {
      ask: async (consent) => {
        if (!consents.has(consent.key)) consents.set(consent.key, consent)
      },
      take: async (key) => {
        const found = consents.get(key)
        if (found === undefined || found.state === 'waiting') return undefined
        consents.delete(key)
        return {
          approved: found.state === 'approved',
          ...(found.note === undefined ? {} : { note: found.note }),
        }
      },
      list: async () => [...consents.values()],
      answer: async (key, { approved, note }) => {
        const found = consents.get(key)
        if (found?.state !== 'waiting') return undefined
        const answered: StoredConsent = {
          ...found,
          state: approved ? 'approved' : 'rejected',
          decidedAt: new Date().toISOString(),
          ...(note === undefined ? {} : { note }),
        }
        consents.set(key, answered)
        return answered
      },
    },
  }
}
