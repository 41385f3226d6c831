/**
 * Runs a storage command in this process and kills it at a step:
 *
 *   node step-child.js <command> <data folder> <file> <step or nothing> <servers of etcd and prefix, or nothing>
 *
 * Every step is printed once, so that a run to the end tells what can be chosen. Modules are imported by the command that
 * uses them: the suite runs this program a hundred times, and loading all of them takes a second.
 */
import { createReadStream, writeSync } from 'node:fs'

const [command = '', dataDir = '', file = '', fatal = '', etcdServers = '', etcdPrefix = ''] = process.argv.slice(2)
const seen = new Set<string>()
const at = (step: string) => {
  if (!seen.has(step)) writeSync(1, `${step}\n`)
  seen.add(step)
  if (step === fatal) process.kill(process.pid, 'SIGKILL')
}
const openEtcd = async () => {
  const { openEtcdStore } = await import('../../plugins/storage-etcd/open-etcd-store.js')
  const servers = { etcdServers: etcdServers.split(','), etcdPrefix }
  return openEtcdStore({ ...servers, historyMs: 300_000, now: Date.now, warn: () => {} })
}
const openLmdb = async () => (await import('../../kernel/storage/lmdb/lmdb-storage.js')).openLmdbStore({ dataDir })
const open = () => (etcdServers === '' ? openLmdb() : openEtcd())
const maintenance = () => import('../../kernel/storage/maintenance.js')

const commands: Record<string, () => Promise<unknown>> = {
  backup: async () => (await maintenance()).backupStore(dataDir, file, at),
  restore: async () => (await maintenance()).restoreStore(dataDir, file, at),
  compact: async () => (await maintenance()).compactStore(dataDir, at),
  async import() {
    const { importStore } = await import('../../plugins/storage-tools/import-store.js')
    const { readExport } = await import('../../plugins/storage-tools/read-export.js')
    const store = await open()
    await importStore(store, await readExport(createReadStream(file)), () => {}, at)
    await store.close()
  },
  async export() {
    const { exportToFile } = await import('../../plugins/storage-tools/export-store.js')
    const store = await open()
    await exportToFile(store, file, () => {}, at)
    await store.close()
  },
  async migrate() {
    const { bootPlugins } = await import('../../kernel/boot/boot-plugins.js')
    const { migrateVersions } = await import('../../kernel/resources/migrate-versions.js')
    const { ResourceTypes } = await import('../../kernel/types/resource-types.js')
    const { RuntimeConfig } = await import('../../kernel/types/runtime-config.js')
    const { notes } = await import('./notes.js')
    const store = await open()
    const { registry } = await bootPlugins({ config: { plugins: [notes.between] } })
    const types = new ResourceTypes(registry, new RuntimeConfig({})).stored()
    await migrateVersions({ store, types, vendor: 'orch', progress: () => {}, at })
    await store.close()
  },
}
await commands[command]!()
