import { definePlugin } from 'orch/sdk'
import { EtcdOptions } from './options.js'

export const storageEtcd = definePlugin({
  name: 'storage-etcd',
  options: EtcdOptions,
  register(to, { options }) {
    to.storage({
      name: 'etcd',
      isShared: true,
      ...(options.etcdServers.length > 0 ? { meantBy: 'etcdServers' } : {}),
      // Loaded only when chosen: gRPC would delay the start of every server.
      open: async store => (await import('./open-etcd-store.js')).openEtcdStore({ ...store, ...options }),
      examine: async () => (await import('./examine.js')).examine(options),
    })
  },
})
