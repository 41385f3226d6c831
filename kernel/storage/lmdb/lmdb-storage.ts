import { defineStorage, type Store } from 'orch/sdk'
import { refuseDuringMaintenance } from './exclusive-use.js'
import { LmdbStore, type LmdbStoreOptions } from './lmdb-store.js'

export type OpenLmdbOptions = Pick<LmdbStoreOptions, 'dataDir'> & Partial<LmdbStoreOptions>

const defaultHistoryMs = 5 * 60_000

/** Opens the store in `<dataDir>/store`, creating it if needed. Several processes may have it open. */
export async function openLmdbStore(options: OpenLmdbOptions): Promise<Store> {
  refuseDuringMaintenance(options.dataDir)
  return new LmdbStore({ historyMs: defaultHistoryMs, now: Date.now, warn: () => {}, ...options })
}

export const lmdbStorage = defineStorage({ name: 'lmdb', open: openLmdbStore })
