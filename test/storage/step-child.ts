/**
 * Runs a storage command in this process and kills it at a step:
 *
 *   node step-child.js <command> <data folder> <file> <step or nothing> <servers of etcd and prefix, or nothing>
 *
 * Every step is printed once, so that a run to the end tells what can be chosen.
 */
import { createReadStream, writeSync } from 'node:fs'
import { bootPlugins } from '../../kernel/boot/boot-plugins.js'
import { migrateVersions } from '../../kernel/resources/migrate-versions.js'
import { openLmdbStore } from '../../kernel/storage/lmdb/lmdb-storage.js'
import { backupStore, compactStore, restoreStore } from '../../kernel/storage/maintenance.js'
import { ResourceTypes } from '../../kernel/types/resource-types.js'
import { RuntimeConfig } from '../../kernel/types/runtime-config.js'
import { openEtcdStore } from '../../plugins/storage-etcd/open-etcd-store.js'
import { exportToFile } from '../../plugins/storage-tools/export-store.js'
import { importStore } from '../../plugins/storage-tools/import-store.js'
import { readExport } from '../../plugins/storage-tools/read-export.js'
import { notes } from './notes.js'

const [command = '', dataDir = '', file = '', fatal = '', etcdServers = '', etcdPrefix = ''] = process.argv.slice(2)
const seen = new Set<string>()
const at = (step: string) => {
  if (!seen.has(step)) writeSync(1, `${step}\n`)
  seen.add(step)
  if (step === fatal) process.kill(process.pid, 'SIGKILL')
}
const open = () =>
  etcdServers === ''
    ? openLmdbStore({ dataDir })
    : openEtcdStore({
        etcdServers: etcdServers.split(','),
        etcdPrefix,
        historyMs: 300_000,
        now: Date.now,
        warn: () => {},
      })

const commands: Record<string, () => Promise<unknown>> = {
  backup: () => backupStore(dataDir, file, at),
  restore: () => restoreStore(dataDir, file, at),
  compact: () => compactStore(dataDir, at),
  async import() {
    const store = await open()
    await importStore(store, await readExport(createReadStream(file)), () => {}, at)
    await store.close()
  },
  async export() {
    const store = await open()
    await exportToFile(store, file, () => {}, at)
    await store.close()
  },
  async migrate() {
    const store = await open()
    const { registry } = await bootPlugins({ config: { plugins: [notes.between] } })
    const types = new ResourceTypes(registry, new RuntimeConfig({})).stored()
    await migrateVersions({ store, types, vendor: 'orch', progress: () => {}, at })
    await store.close()
  },
}
await commands[command]!()
