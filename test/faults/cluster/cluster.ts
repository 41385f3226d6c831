import type { EtcdCluster } from '../../../plugins/storage-etcd/testing/etcd-cluster.js'
import type { ServerProcess } from './server-process.js'

/** What is tried: servers on one store. */
export interface Cluster {
  readonly servers: readonly ServerProcess[]
  /** The members of the store, where it has any. */
  readonly etcd?: EtcdCluster
  readonly memberCount: number
  /** Do several processes serve for each server? */
  readonly hasWorkers: boolean
  /** Can the disk of its servers be filled? */
  readonly hasDisk: boolean
  stop(): Promise<void>
}
