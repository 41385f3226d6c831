import { storageEtcd } from 'orch/plugins/storage-etcd'
import type { PluginEntry } from 'orch/sdk'
import type { Store } from 'orch/sdk/host'
import { openLmdbStore } from '../../kernel/storage/lmdb/lmdb-storage.js'
import { openEtcdStore } from '../../plugins/storage-etcd/open-etcd-store.js'
import { isEtcdInstalled, startCluster } from '../../plugins/storage-etcd/testing/etcd-cluster.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** A separate location on an engine, which survives restarts. */
export interface EnginePlace {
  readonly dataDir: string
  readonly plugins: readonly PluginEntry[]
  /** Config keys that lead to it. */
  readonly options: Readonly<Record<string, unknown>>
  /** The same for the command line. */
  readonly flags: readonly string[]
  /** Opens the store, while no server uses it. */
  open(): Promise<Store>
  remove(): void
}
export interface TestedEngine {
  readonly name: string
  place(): EnginePlace
}

const embedded: TestedEngine = {
  name: 'lmdb',
  place() {
    const { path: dataDir, remove } = temporaryFolder()
    return { dataDir, plugins: [], options: {}, flags: [], open: () => openLmdbStore({ dataDir }), remove }
  },
}

/** Every engine that can be tried here, and the way to end them. */
export async function startEngines(): Promise<{ engines: readonly TestedEngine[]; stop(): Promise<void> }> {
  if (!isEtcdInstalled()) {
    console.log('SKIP etcd is not installed')
    return { engines: [embedded], stop: async () => {} }
  }
  const cluster = await startCluster({ arguments: ['--unsafe-no-fsync'] })
  const etcdServers = [...cluster.servers]
  let places = 0
  const etcd: TestedEngine = {
    name: 'etcd',
    place() {
      const { path: dataDir, remove } = temporaryFolder()
      const etcdPrefix = `/place-${places++}`
      return {
        dataDir,
        plugins: [storageEtcd],
        options: { storageEngine: 'etcd', etcdServers, etcdPrefix },
        flags: ['--storage-engine=etcd', `--etcd-servers=${etcdServers}`, `--etcd-prefix=${etcdPrefix}`],
        open: () => openEtcdStore({ etcdServers, etcdPrefix, historyMs: 300_000, now: Date.now, warn: () => {} }),
        remove,
      }
    },
  }
  return { engines: [embedded, etcd], stop: () => cluster.stop() }
}
