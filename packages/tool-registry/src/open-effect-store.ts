import { join } from 'node:path'
import type { EffectStore } from './effect-store.js'
import { createFileConsents } from './file-consents.js'
import { createFileLedger } from './file-ledger.js'

/**
 * Opens the default store: plain JSON files in `effects/` and `consents/` of a folder, made on first use. Any number of
 * processes of one machine may use it at once.
 */
export function openEffectStore(folder: string): EffectStore {
  return {
    ledger: createFileLedger(join(folder, 'effects')),
    consents: createFileConsents(join(folder, 'consents')),
  }
}
