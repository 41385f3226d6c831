import type { Revision, StoreReplica } from 'orch/sdk/host'
import type { Connection } from './connection.js'
import type { KeyLayout } from './key-layout.js'

export interface EtcdStoreOptions {
  readonly connection: Connection
  readonly layout: KeyLayout
  readonly historyMs: number
  readonly now: () => number
  readonly warn: (message: string) => void
  readonly info: (message: string) => void
  /** Opens the replica for this cluster and prefix. Without it every read goes to etcd. */
  readonly openReplica?: (() => Promise<StoreReplica>) | undefined
}
/** The state of the cluster when the store was opened. */
export interface StartingPoint {
  readonly cluster: number
  readonly revision: Revision
  readonly compacted: Revision
  /** A replica from an earlier run that can be resumed. */
  readonly resumed?: StoreReplica | undefined
}
