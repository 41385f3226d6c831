/** Maintenance that replaces the file of a store: no other process may use the data folder meanwhile. */
import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import {
  type AtStep,
  contentsKey,
  type MaintenanceProgress,
  moveDurably,
  parseContents,
  type RestorePoint,
  type RestoreResult,
  type Revision,
  requireKnownFormat,
  StorageError,
  type StoreMaintenance,
} from 'orch/sdk/host'
import { requireSpace, reservedBytes } from './disk-space.js'
import { lockFolder } from './folder-lock.js'
import { checkDataFile, dataFile } from './lmdb/data-file.js'
import { type Environment, storePath } from './lmdb/environment.js'
import { openEnvironment, usersHere } from './lmdb/open-environment.js'
import { PastCursor } from './lmdb/past-cursor.js'
import { walkRevision } from './lmdb/walk-revision.js'
import { revisionAt } from './restore-point.js'
import { bodyOf } from './revision.js'
import { keptPath, newestKept, unfinishedPath } from './tidy-folder.js'
import { verifyEnvironment } from './verify-store.js'

/**
 * A restored store continues this many revisions after the newest known one, whether of the backup, of the replaced
 * store, or of one replaced earlier. Clients may have seen later ones; if they came again for other writes, those
 * clients would miss changes without noticing.
 */
const revisionsSkippedOnRestore = 1_000_000
const recordsPerCommit = 2000

/**
 * Restores a backup, as of its newest revision or an earlier point in its history. History is not restored: clients
 * list again, as they must when an old state returns.
 */
export async function restoreStore(
  dataDir: string,
  backup: string,
  at: AtStep = () => {},
  point: RestorePoint = {},
  progress: MaintenanceProgress = () => {},
): Promise<RestoreResult> {
  if (!existsSync(backup)) throw new StorageError('unavailable', `there is no backup at ${backup}`)
  checkDataFile(backup, Number.POSITIVE_INFINITY, 'Take another backup')
  // A copy of the backup, which may be in a read-only folder, and the new store.
  requireSpace(dataDir, statSync(backup).size * 2 + reservedBytes, 'a restore')
  mkdirSync(dataDir, { recursive: true })
  return whileAlone(dataDir, 'restore', async unfinished => {
    const source = `${unfinished}/backup`
    mkdirSync(storePath(source), { recursive: true })
    copyFileSync(backup, dataFile(storePath(source)))
    at('the backup is copied')
    const seen = Math.max(await presentRevision(dataDir), newestKept(dataDir))
    const restored = await withEnvironment(source, async environment => {
      const { isSound, problems } = await verifyEnvironment(environment, progress)
      if (!isSound) throw new StorageError('corrupt', `the backup is damaged: ${problems[0]}`)
      const revision = Math.max(seen, environment.readState().revision) + revisionsSkippedOnRestore
      const pointRevision = revisionAt(environment, point)
      const keys = await rewrite(environment, pointRevision, unfinished, revision, at, progress)
      return { revision, restored: pointRevision, keys }
    })
    const replaced = keepOld(dataDir, restored.revision)
    at('the old store is kept')
    putInPlace(unfinished, dataDir)
    at('the new store is in place')
    return { ...restored, replaced }
  })
}

/** The newest revision of the store that is replaced; 0 when there is none, or it cannot be read. */
async function presentRevision(dataDir: string): Promise<Revision> {
  try {
    checkDataFile(dataFile(storePath(dataDir)), Number.POSITIVE_INFINITY)
    return await withEnvironment(dataDir, async environment => environment.readState().revision)
  } catch {
    // A damaged store is what a restore is for.
    return 0
  }
}

/** Discards all history and rewrites the file without free pages. */
export async function compactStore(dataDir: string, at: AtStep = () => {}): ReturnType<StoreMaintenance['compact']> {
  refuseMissing(dataDir)
  return whileAlone(dataDir, 'compact', async unfinished => {
    const bytesBefore = statSync(dataFile(storePath(dataDir))).size
    const done = await withEnvironment(dataDir, async environment => {
      const { revision } = environment.readState()
      requireSpace(dataDir, environment.usedBytes() + reservedBytes, 'a new file without free space')
      await rewrite(environment, revision, unfinished, revision, at)
      return { revision, forgottenEntries: environment.logCount(), bytesBefore }
    })
    putInPlace(unfinished, dataDir)
    at('the new store is in place')
    return { ...done, bytesAfter: statSync(dataFile(storePath(dataDir))).size }
  })
}

/** Runs `work` with a folder for unfinished files, with exclusive use of the data folder. */
async function whileAlone<T>(dataDir: string, action: string, work: (unfinished: string) => Promise<T>): Promise<T> {
  const release = await lockFolder(dataDir, { role: 'maintenance', what: `orch storage ${action}` })
  const unfinished = unfinishedPath(dataDir)
  try {
    if (usersHere(dataDir) > 0) throw new StorageError('unavailable', `close the store in ${dataDir} first`)
    mkdirSync(unfinished)
    return await work(unfinished)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
    await release()
  }
}

/** Opens the store in a folder, which must have one. The caller must hold the lock. */
export async function withEnvironment<T>(dataDir: string, work: (environment: Environment) => Promise<T>): Promise<T> {
  refuseMissing(dataDir)
  const [environment, release] = await openEnvironment({ dataDir })
  try {
    return await work(environment)
  } finally {
    await release()
  }
}
export function refuseMissing(dataDir: string): void {
  if (existsSync(dataFile(storePath(dataDir)))) return
  throw new StorageError('unavailable', `there is no store in ${dataDir}`)
}

/**
 * Writes the state of a store, as of `point`, to a new one, which begins at `revision`: what was free or history takes no space in
 * it. Returns how many objects that are.
 */
async function rewrite(
  from: Environment,
  point: Revision,
  folder: string,
  revision: Revision,
  at: AtStep,
  progress: MaintenanceProgress = () => {},
): Promise<number> {
  const contents = from.current.getBinary(contentsKey)
  requireKnownFormat(contents && parseContents(bodyOf(contents)))
  const isNewest = point === from.readState().revision
  const [to, release] = await openEnvironment({ dataDir: folder })
  try {
    let last: Buffer | undefined
    let written = 0
    do {
      const { records, next } = recordsAt(from, isNewest ? undefined : point, last)
      await to.transaction(() => {
        for (const { key, record } of records) to.current.putSync(key as unknown as string, record, { append: true })
        to.writeState({ revision, compacted: revision })
      })
      if (last === undefined) at('some of the new store is written')
      written += records.length
      progress('Wrote', written, from.keyCount())
      last = next
    } while (last !== undefined)
    if (to.keyCount() !== (isNewest ? from.keyCount() : written))
      throw new StorageError('corrupt', 'the store has objects that cannot be read')
    at('the new store is written')
    return written
  } finally {
    await release()
  }
}

/** Some of the objects after a key, as of a revision or of now, and the key after which to go on. */
function recordsAt(from: Environment, point: Revision | undefined, after: Buffer | undefined) {
  const records: { key: Buffer; record: Buffer }[] = []
  const range = { start: after ?? Buffer.alloc(0), isAfterStart: after !== undefined, end: undefined }
  const pasts = point === undefined ? undefined : new PastCursor(from, range, point)
  const next = walkRevision(from, range, point ?? 0, pasts, (value, start, end, key) => {
    const keyBytes = Buffer.from(key.bytes.subarray(key.start, key.end))
    return records.push({ key: keyBytes, record: Buffer.from(value.subarray(start, end)) }) < recordsPerCommit
  })
  return { records, next }
}

/** The old store gets a second name, so that there is one under the usual name at any time. */
function keepOld(dataDir: string, revision: Revision): string | undefined {
  const old = dataFile(storePath(dataDir))
  if (!existsSync(old)) return undefined
  const kept = keptPath(dataDir, revision)
  mkdirSync(kept)
  if (statSync(old).isFile()) linkSync(old, dataFile(kept))
  // A file of that name that is not a store is removed.
  else renameSync(old, dataFile(kept))
  return kept
}

function putInPlace(unfinished: string, dataDir: string): void {
  mkdirSync(storePath(dataDir), { recursive: true })
  moveDurably(dataFile(storePath(unfinished)), dataFile(storePath(dataDir)))
}
