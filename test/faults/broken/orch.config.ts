import { authentication } from 'orch/plugins/authentication'
import { authorization } from 'orch/plugins/authorization'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { defineConfig, definePlugin } from 'orch/sdk'
import { defineStorage, type Store, type StoreReplica } from 'orch/sdk/host'
import { openLmdbStore } from '../../../kernel/storage/lmdb/lmdb-storage.js'
import { openEtcdStore } from '../../../plugins/storage-etcd/open-etcd-store.js'
import { EtcdOptions } from '../../../plugins/storage-etcd/options.js'
import { droppingStore, reorderingStore, repeatingStore } from './broken-events.js'
import { mislabelledListStore, staleListStore } from './broken-lists.js'
import { hastyReplica, laggingReplica, skippingReplica } from './broken-replicas.js'
import { openForgetfulStore } from './forgetful-store.js'

const around = (name: string, wrap: (inner: Store) => Store) =>
  defineStorage({ name, open: async options => wrap(await openLmdbStore(options)) })

const brokenStores = definePlugin({
  name: 'broken-stores',
  register(to) {
    to.storage(defineStorage({ name: 'forgetful', open: openForgetfulStore }))
    to.storage(around('dropping', droppingStore))
    to.storage(around('repeating', repeatingStore))
    to.storage(around('reordering', reorderingStore))
    to.storage(around('stale-lists', staleListStore))
    to.storage(around('mislabelled-lists', mislabelledListStore))
    to.storage(around('sound', inner => inner))
  },
})

/** The etcd engine with a broken replica. */
const brokenReplicas = definePlugin({
  name: 'broken-replicas',
  options: EtcdOptions,
  register(to, { options: etcd }) {
    const engine = (name: string, spoil: (replica: StoreReplica) => StoreReplica) =>
      defineStorage({
        name,
        isShared: true,
        open: options =>
          openEtcdStore({
            ...options,
            ...etcd,
            openReplica: async source => spoil(await options.openReplica!(source)),
          }),
      })
    to.storage(engine('lagging-replica', laggingReplica))
    to.storage(engine('skipping-replica', skippingReplica))
    to.storage(engine('hasty-replica', hastyReplica))
    to.storage(engine('sound-replica', replica => replica))
  },
})

/** Servers with deliberately broken stores, chosen with --storage-engine: the fault harness must detect each. */
export default defineConfig({
  plugins: [namespaces, configuration, authentication, authorization, brokenStores, brokenReplicas],
})
