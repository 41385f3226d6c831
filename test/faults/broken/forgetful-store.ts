import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from 'orch/sdk/host'
import { openLmdbStore } from '../../../kernel/storage/lmdb/lmdb-storage.js'
import { backupStore } from '../../../kernel/storage/maintenance.js'
import { delegatingStore } from './delegating-store.js'

const saveEveryMs = 700

/**
 * Acknowledges before anything is durable, like a store without fsync on a machine that loses power: it works in a folder that
 * the next process does not use, and periodically saves it to the one that it does.
 */
export async function openForgetfulStore(options: { dataDir: string; historyMs: number }): Promise<Store> {
  const saved = join(options.dataDir, 'saved.mdb')
  const dataDir = join(options.dataDir, `volatile-${process.pid}`)
  mkdirSync(join(dataDir, 'store'), { recursive: true })
  if (existsSync(saved)) cpSync(saved, join(dataDir, 'store/data.mdb'))
  const inner = await openLmdbStore({ ...options, dataDir })
  const save = async () => {
    const unfinished = join(dataDir, 'unfinished.mdb')
    await backupStore(dataDir, unfinished)
    renameSync(unfinished, saved)
  }
  let saving = save()
  const timer = setInterval(() => (saving = saving.then(save)), saveEveryMs)
  return delegatingStore(inner, {
    async close() {
      clearInterval(timer)
      await saving
      await inner.close()
    },
  })
}
