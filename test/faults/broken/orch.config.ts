import { authentication } from 'orch/plugins/authentication'
import { authorization } from 'orch/plugins/authorization'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { defineConfig, definePlugin } from 'orch/sdk'
import { defineStorage, type Store } from 'orch/sdk/host'
import { openLmdbStore } from '../../../kernel/storage/lmdb/lmdb-storage.js'
import { droppingStore, reorderingStore, repeatingStore } from './broken-events.js'
import { mislabelledListStore, staleListStore } from './broken-lists.js'
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

/** Servers with stores that are wrong on purpose, chosen with --storage-engine: the fault harness must notice each. */
export default defineConfig({
  plugins: [namespaces, configuration, authentication, authorization, brokenStores],
})
