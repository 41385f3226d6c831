import { randomBytes } from 'node:crypto'
import type { ConformanceEngine } from 'orch/sdk/testing'

/** etcd for the servers of a run, each with its own prefix. */
export const etcdEngine = (servers: readonly string[]): ConformanceEngine => ({
  plugins: ['orch/plugins/storage-etcd'],
  options: () => ({
    storageEngine: 'etcd',
    etcdServers: servers,
    etcdPrefix: `/conformance-${randomBytes(6).toString('hex')}`,
  }),
})
