import type { Store } from 'orch/sdk/host'
import type { EnvironmentOptions } from './environment.js'
import { LmdbStore, type LmdbStoreOptions } from './lmdb-store.js'
import { openEnvironment } from './open-environment.js'

export type OpenLmdbOptions = EnvironmentOptions & Partial<LmdbStoreOptions>

const defaultHistoryMs = 5 * 60_000

/** Opens the store in `<dataDir>/store`, creating it if needed. Several processes may have it open. */
export async function openLmdbStore(options: OpenLmdbOptions): Promise<Store> {
  const [environment, release] = await openEnvironment(options)
  return new LmdbStore(environment, release, { historyMs: defaultHistoryMs, now: Date.now, warn: () => {}, ...options })
}
