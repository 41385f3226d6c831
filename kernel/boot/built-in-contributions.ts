import type { Registrar } from 'orch/sdk'

/** What the kernel itself brings: the embedded storage engine, loaded only when a store is opened. */
export function builtInContributions(to: Registrar): void {
  to.storage({
    name: 'lmdb',
    async open(options) {
      const { openLmdbStore } = await import('../storage/lmdb/lmdb-storage.js')
      // Workers must see at once what the others have acknowledged; no other process acknowledges anything to clients.
      return openLmdbStore({ ...options, sharesSnapshots: options.peers === undefined })
    },
    async maintain(dataDir) {
      const { maintenanceOf } = await import('../storage/maintenance.js')
      return maintenanceOf(dataDir)
    },
  })
}
