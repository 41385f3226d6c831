import type { EtcdCluster } from '../../../plugins/storage-etcd/testing/etcd-cluster.js'
import type { ServerProcess } from './server-process.js'

/** The system under test: servers on one store. */
export interface Cluster {
  readonly servers: readonly ServerProcess[]
  /** The number of members of the store, if it has any. */
  readonly etcd?: EtcdCluster
  readonly memberCount: number
  /** Whether each server has worker processes. */
  readonly hasWorkers: boolean
  /** Whether the disk of its servers can be filled. */
  readonly hasDisk: boolean
  stop(): Promise<void>
}
