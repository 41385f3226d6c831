/** What `orch storage` does beside a running server. */
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  type AtStep,
  type BackupResult,
  type MaintenanceProgress,
  moveDurably,
  StorageError,
  type StoreFileStats,
  type StoreMaintenance,
  unfinishedIn,
  type VerifyResult,
} from 'orch/sdk/host'
import { storedVersionOf } from './attributes.js'
import { requireSpace, reservedBytes } from './disk-space.js'
import { lockFolder } from './folder-lock.js'
import { checkDataFile, dataFile } from './lmdb/data-file.js'
import { type Environment, storePath } from './lmdb/environment.js'
import { compactStore, refuseMissing, restoreStore, withEnvironment } from './replace-store.js'
import { attributesOf } from './revision.js'
import { verifyEnvironment } from './verify-store.js'
import { collectionOf } from './versioned-store.js'

export { compactStore, restoreStore }

/** What `orch storage` does to the embedded store in a data folder. */
export const maintenanceOf = (dataDir: string): StoreMaintenance => ({
  stats: () => storageStats(dataDir),
  verify: () => verifyStore(dataDir),
  backup: (target, progress) => backupStore(dataDir, target, undefined, progress),
  restore: (backup, point, progress) => restoreStore(dataDir, backup, undefined, point, progress),
  compact: () => compactStore(dataDir),
})

export function storageStats(dataDir: string): Promise<StoreFileStats> {
  return asReader(dataDir, 'stats', async environment => {
    const { revision, compacted } = environment.readState()
    environment.dropDeadReaders()
    return {
      path: environment.path,
      revision,
      compactedRevision: compacted,
      keys: environment.keyCount(),
      historyEntries: environment.logCount(),
      fileBytes: environment.fileBytes(),
      usedBytes: environment.usedBytes(),
      processes: [...environment.processes()].filter(pid => pid !== process.pid),
      versions: versionsIn(environment),
    }
  })
}

function versionsIn({ scanCurrent }: Environment): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>()
  const { key } = scanCurrent
  scanCurrent.visit = value => {
    const collection = collectionOf(key.bytes.toString('utf8', key.start, key.end))
    if (collection === undefined) return
    const version = storedVersionOf(attributesOf(value)) ?? ''
    const versions = found.get(collection) ?? new Map<string, number>()
    found.set(collection, versions.set(version, (versions.get(version) ?? 0) + 1))
  }
  for (const _ of scanCurrent.database.getRange({}));
  return found
}

/** Every page of the file first, so that walking the contents does not crash LMDB. */
export function verifyStore(dataDir: string): Promise<VerifyResult> {
  refuseMissing(dataDir)
  checkDataFile(dataFile(storePath(dataDir)), Number.POSITIVE_INFINITY)
  return asReader(dataDir, 'verify', verifyEnvironment)
}

/**
 * Copies the store, as of one moment, to a file, and checks the copy; a folder gets a file named after the revision.
 * Servers keep running meanwhile.
 */
export function backupStore(
  dataDir: string,
  target: string,
  at: AtStep = () => {},
  progress?: MaintenanceProgress,
): Promise<BackupResult> {
  return asReader(dataDir, 'backup', async environment => {
    const isFolder = existsSync(target) && statSync(target).isDirectory()
    const folder = resolve(isFolder ? target : dirname(target))
    requireSpace(folder, environment.usedBytes() + reservedBytes, 'a backup')
    mkdirSync(folder, { recursive: true })
    return inTemporaryFolder(folder, async temporary => {
      const copy = storePath(temporary)
      mkdirSync(copy)
      at('the folder of the copy is made')
      await environment.copyTo(copy, true)
      at('the copy is written')
      // A backup must be readable.
      checkDataFile(dataFile(copy), Number.POSITIVE_INFINITY)
      const { isSound, problems, revision, keys } = await withEnvironment(temporary, copied =>
        verifyEnvironment(copied, progress),
      )
      if (!isSound) throw new StorageError('corrupt', `the backup is damaged, and so may be the store: ${problems[0]}`)
      at('the copy is checked')
      const file = isFolder ? join(folder, `orch-store-${revision}.mdb`) : resolve(target)
      moveDurably(dataFile(copy), file)
      at('the backup is in place')
      return { file, bytes: statSync(file).size, revision, keys }
    })
  })
}

async function asReader<T>(
  dataDir: string,
  action: string,
  work: (environment: Environment) => Promise<T>,
): Promise<T> {
  refuseMissing(dataDir)
  const release = await lockFolder(dataDir, { role: 'reader', what: `orch storage ${action}` })
  try {
    return await withEnvironment(dataDir, work)
  } finally {
    await release()
  }
}

/** Beside the target, so that moving is renaming. */
async function inTemporaryFolder<T>(folder: string, work: (temporary: string) => Promise<T>): Promise<T> {
  const temporary = unfinishedIn(folder)
  try {
    mkdirSync(temporary)
    return await work(temporary)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}
