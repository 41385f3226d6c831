/** What `orch storage` does: it may run beside a server, apart from restore and the shrinking part of compact. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type Revision, StorageError } from 'orch/sdk'
import { Compaction } from './lmdb/compaction.js'
import { checkCompactedCopy, dataFile } from './lmdb/data-file.js'
import { type Environment, storePath } from './lmdb/environment.js'
import { refuseDuringMaintenance, whileClosedToOthers } from './lmdb/exclusive-use.js'
import { openEnvironment, usersHere } from './lmdb/open-environment.js'
import { type VerifyResult, verifyEnvironment } from './verify-store.js'

export type { VerifyResult } from './verify-store.js'

export interface StorageStats {
  readonly path: string
  readonly revision: Revision
  readonly compactedRevision: Revision
  readonly keys: number
  readonly historyEntries: number
  readonly fileBytes: number
  /** What the file would take without free pages. */
  readonly usedBytes: number
  /** Other processes that have the store open. */
  readonly processes: readonly number[]
}
export interface BackupResult {
  readonly file: string
  readonly bytes: number
  readonly revision: Revision
  readonly keys: number
}
export interface RestoreResult {
  readonly revision: Revision
  readonly keys: number
  /** Where the store that was there before is now. */
  readonly replaced: string | undefined
}
export interface CompactResult {
  readonly revision: Revision
  readonly forgottenEntries: number
  readonly bytesBefore: number
  readonly bytesAfter: number
  /** False when the store is open elsewhere: then history is gone but the file keeps its size. */
  readonly isShrunk: boolean
}

/**
 * A restored store goes on this many revisions later. Clients may have seen revisions that the backup does not know; if they
 * came again for other writes, those clients would miss changes without noticing.
 */
const revisionsSkippedOnRestore = 1_000_000

export function storageStats(dataDir: string): Promise<StorageStats> {
  return withStore(dataDir, async environment => {
    const { revision, compacted } = environment.readState()
    return {
      path: environment.path,
      revision,
      compactedRevision: compacted,
      keys: environment.keyCount(),
      historyEntries: environment.logCount(),
      fileBytes: environment.fileBytes(),
      usedBytes: environment.usedBytes(),
      processes: othersOf(environment),
    }
  })
}

export function verifyStore(dataDir: string): Promise<VerifyResult> {
  return withStore(dataDir, verifyEnvironment)
}

/** Copies the store, as of one moment, to a file; a folder gets a file named after the revision. Servers go on meanwhile. */
export function backupStore(dataDir: string, target: string): Promise<BackupResult> {
  return withStore(dataDir, async environment => {
    const isFolder = existsSync(target) && statSync(target).isDirectory()
    const folder = resolve(isFolder ? target : dirname(target))
    mkdirSync(folder, { recursive: true })
    return inTemporaryFolder(folder, async temporary => {
      const copy = await copyStore(environment, temporary)
      const { revision, keys } = await withStore(temporary, async copied => ({
        revision: copied.readState().revision,
        keys: copied.keyCount(),
      }))
      const file = isFolder ? join(folder, `orch-store-${revision}.mdb`) : resolve(target)
      moveDurably(copy, file)
      return { file, bytes: statSync(file).size, revision, keys }
    })
  })
}

/** Puts a backup in place. History is not restored: clients list anew, as they must when a state comes back. */
export async function restoreStore(dataDir: string, backup: string): Promise<RestoreResult> {
  if (!existsSync(backup)) throw new StorageError('unavailable', `there is no backup at ${backup}`)
  checkCompactedCopy(backup)
  mkdirSync(dataDir, { recursive: true })
  return whileClosedToOthers(dataDir, async () => {
    const hadStore = existsSync(dataFile(storePath(dataDir)))
    if (hadStore) await withStore(dataDir, async environment => refuseOthers(environment, dataDir))
    return inTemporaryFolder(dataDir, async temporary => {
      mkdirSync(storePath(temporary))
      copyFileSync(backup, dataFile(storePath(temporary)))
      const restored = await withStore(temporary, async environment => {
        const { isSound, problems } = await verifyEnvironment(environment)
        if (!isSound) throw new StorageError('corrupt', `the backup is damaged: ${problems[0]}`)
        const revision = environment.readState().revision + revisionsSkippedOnRestore
        await environment.transaction(() => environment.forgetHistory(revision))
        return { revision, keys: environment.keyCount() }
      })
      const replaced = hadStore ? freeName(`${storePath(dataDir)}-before-${restored.revision}`) : undefined
      if (replaced !== undefined) renameSync(storePath(dataDir), replaced)
      else rmSync(storePath(dataDir), { recursive: true, force: true })
      renameSync(storePath(temporary), storePath(dataDir))
      syncPath(dataDir)
      return { ...restored, replaced }
    })
  })
}

/** Forgets all history and, when the store is open nowhere else, rewrites the file without free pages. */
export async function compactStore(dataDir: string): Promise<CompactResult> {
  refuseMissing(dataDir)
  return whileClosedToOthers(dataDir, async () => {
    const done = await withStore(dataDir, async environment => {
      const bytesBefore = environment.fileBytes()
      const forgottenEntries = environment.logCount()
      const { revision } = environment.readState()
      const compaction = new Compaction({
        environment,
        historyMs: Number.POSITIVE_INFINITY,
        now: Date.now,
        warn: () => {},
      })
      await compaction.compactTo(revision)
      await compaction.stop()
      return {
        revision,
        forgottenEntries,
        bytesBefore,
        isShrunk: othersOf(environment).length === 0 && usersHere(dataDir) === 1,
      }
    })
    if (done.isShrunk) await rewrite(dataDir)
    return { ...done, bytesAfter: statSync(dataFile(storePath(dataDir))).size }
  })
}

async function rewrite(dataDir: string): Promise<void> {
  await inTemporaryFolder(dataDir, async temporary => {
    const copy = await withStore(dataDir, environment => copyStore(environment, temporary))
    moveDurably(copy, dataFile(storePath(dataDir)))
  })
}

async function withStore<T>(dataDir: string, work: (environment: Environment) => Promise<T>): Promise<T> {
  refuseMissing(dataDir)
  refuseDuringMaintenance(dataDir)
  const [environment, release] = await openEnvironment({ dataDir })
  try {
    return await work(environment)
  } finally {
    await release()
  }
}

function refuseMissing(dataDir: string): void {
  if (existsSync(dataFile(storePath(dataDir)))) return
  throw new StorageError('unavailable', `there is no store in ${dataDir}`)
}

const othersOf = (environment: Environment): number[] => {
  environment.dropDeadReaders()
  return [...environment.processes()].filter(pid => pid !== process.pid)
}
function refuseOthers(environment: Environment, dataDir: string): void {
  const others = usersHere(dataDir) > 1 ? [process.pid] : othersOf(environment)
  if (others.length === 0) return
  throw new StorageError(
    'unavailable',
    `stop the server first: ${environment.path} is open in process ${others.join(', ')}`,
  )
}

async function copyStore(environment: Environment, folder: string): Promise<string> {
  const target = storePath(folder)
  mkdirSync(target)
  await environment.copyTo(target, true)
  return dataFile(target)
}

/** Beside the target, so that moving is renaming. */
async function inTemporaryFolder<T>(folder: string, work: (temporary: string) => Promise<T>): Promise<T> {
  const temporary = mkdtempSync(join(folder, '.orch-storage-'))
  try {
    return await work(temporary)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

function moveDurably(from: string, to: string): void {
  syncPath(from)
  renameSync(from, to)
  syncPath(dirname(to))
}
function syncPath(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function freeName(wanted: string): string {
  for (let number = 0; ; number++) {
    const name = join(dirname(wanted), number === 0 ? basename(wanted) : `${basename(wanted)}-${number}`)
    if (!existsSync(name)) return name
  }
}
