import type { Registrar } from 'orch/sdk'

/** What the kernel itself brings: the embedded storage engine, loaded only when a store is opened. */
export function builtInContributions(to: Registrar): void {
  to.storage({
    name: 'lmdb',
    async open(options) {
      const { openLmdbStore } = await import('../storage/lmdb/lmdb-storage.js')
      return openLmdbStore(options)
    },
    async maintain(dataDir) {
      const { maintenanceOf } = await import('../storage/maintenance.js')
      return maintenanceOf(dataDir)
    },
  })
}
