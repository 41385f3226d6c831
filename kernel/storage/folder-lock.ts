import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RootDatabase } from 'lmdb'
import { StorageError } from 'orch/sdk/host'
import { growTo, makeReaderTable, requireSpace } from './disk-space.js'
import { checkDataFile, dataFile } from './lmdb/data-file.js'
import { openEnvironment } from './lmdb/environment.js'
import { storageErrorFrom } from './lmdb/lmdb-errors.js'
import { tidyFolder } from './tidy-folder.js'

/** What a process does in a data folder. */
export type FolderRole = 'server' | 'worker' | 'maintenance' | 'reader'
export interface FolderUse {
  readonly role: FolderRole
  /** For messages, such as `orch storage restore`. */
  readonly what: string
}
type Uses = RootDatabase<Buffer, string>
/** An open lock. A process has at most one for a folder: LMDB must not open a file twice. */
interface OpenLock {
  readonly database: Uses
  /** The row of this process in the table of readers. */
  readonly slot: string
  readonly uses: FolderUse[]
  closing: Promise<void> | undefined
}

/** The roles that each role excludes. A store may be inspected and copied while a server and its workers run. */
const excluded: Readonly<Record<FolderRole, readonly FolderRole[]>> = {
  server: ['server', 'worker', 'maintenance'],
  worker: ['maintenance'],
  maintenance: ['server', 'worker', 'maintenance', 'reader'],
  reader: ['maintenance'],
}
const lockBytes = 2 ** 20
/**
 * More than the entries of all processes ever take. Allocated at creation, so that a full disk does not prevent
 * locking.
 */
const spaceBytes = 2 ** 18
const mostProcesses = 512
const locks = new Map<string, OpenLock>()

/**
 * Locks a data folder in a role until the returned function is called or the process ends, however it ends. Throws if another process has an excluded role.
 *
 * Node has no flock, and a pid in a file outlives its process and means nothing in another container. LMDB has what is needed on every system: a table of the processes that have a file open, kept correct by file locks of the operating system, and a write lock that a dead process releases. So `<dataDir>/lock` is a small LMDB environment. A process checks the table and adds itself while it holds the write lock. The data records the role of each process.
 */
export async function lockFolder(dataDir: string, use: FolderUse): Promise<() => Promise<void>> {
  const path = join(dataDir, 'lock')
  if (!existsSync(path)) requireSpace(dataDir, lockBytes, 'the lock of a data folder')
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const folder = realpathSync(dataDir)
  const known = locks.get(folder)
  if (known?.closing !== undefined) {
    await known.closing
    return lockFolder(dataDir, use)
  }
  const lock = known ?? openLock(folder)
  try {
    lock.database.transactionSync(() => {
      growTo(dataFile(join(folder, 'lock')), spaceBytes)
      enter(lock, folder, use)
    })
  } catch (error) {
    await closeUnused(lock, folder)
    throw await storageErrorFrom(error)
  }
  let isReleased = false
  return async () => {
    if (isReleased) return
    isReleased = true
    lock.uses.splice(lock.uses.indexOf(use), 1)
    lock.database.transactionSync(() => writeUses(lock))
    await closeUnused(lock, folder)
  }
}

function openLock(folder: string): OpenLock {
  const path = join(folder, 'lock')
  makeUsable(path)
  makeReaderTable(path)
  const database = openEnvironment<Buffer, string>({
    path,
    noSubdir: false,
    mapSize: lockBytes,
    maxReaders: mostProcesses,
    encoding: 'binary',
    overlappingSync: false,
    eventTurnBatching: false,
  })
  // Inside, so that the new row is ours.
  const slot = database.transactionSync(() => {
    const before = rowsOf(database)
    database.useReadTransaction().done()
    return rowsOf(database).find(row => !before.includes(row))
  })
  if (slot === undefined) throw new StorageError('unavailable', `LMDB has no reader table in ${folder}`)
  const lock = { database, slot, uses: [], closing: undefined }
  locks.set(folder, lock)
  return lock
}

/** The lock holds nothing of value: a damaged one is created again. */
function makeUsable(path: string): void {
  try {
    checkDataFile(dataFile(path))
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    rmSync(path, { recursive: true, force: true })
    mkdirSync(path, { mode: 0o700 })
  }
}

function enter(lock: OpenLock, folder: string, use: FolderUse): void {
  const { database, slot, uses } = lock
  database.readerCheck()
  const rows = rowsOf(database)
  const others: { pid: number; use: FolderUse }[] = []
  for (const row of [...database.getKeys()]) {
    if (!rows.includes(row)) database.removeSync(row)
    else if (row !== slot)
      for (const each of readUses(database, row)) others.push({ pid: Number.parseInt(row, 10), use: each })
  }
  for (const each of uses) others.push({ pid: process.pid, use: each })
  const inTheWay = others.filter(each => excluded[use.role].includes(each.use.role))
  const other = inTheWay.find(each => each.use.role === 'server') ?? inTheWay[0]
  if (other !== undefined) throw new StorageError('unavailable', refusal(folder, use, other.pid, other.use))
  // Entries of killed processes are removed by the next process.
  if (others.length === 0) tidyFolder(folder)
  uses.push(use)
  writeUses(lock)
}

function refusal(folder: string, wanted: FolderUse, pid: number, { role, what }: FolderUse): string {
  if (role === 'reader' || role === 'maintenance') {
    return `process ${pid} (${what}) is using ${folder}: try again when it has ended`
  }
  return wanted.role === 'server'
    ? `process ${pid} already serves from ${folder}: stop it, or choose another folder with --data-dir`
    : `stop the server first: process ${pid} serves from ${folder}`
}

/** `pid thread` of every process that has the lock open. */
const rowsOf = (database: Uses): string[] =>
  [...database.readerList().matchAll(/^ *(\d+) +([0-9a-f]+) /gm)].map(([, pid, thread]) => `${pid} ${thread}`)

const readUses = (database: Uses, row: string): FolderUse[] =>
  JSON.parse(String(database.getBinary(row) ?? '[]')) as FolderUse[]
const writeUses = ({ database, slot, uses }: OpenLock): void => {
  if (uses.length > 0) database.putSync(slot, Buffer.from(JSON.stringify(uses)))
  else database.removeSync(slot)
}

async function closeUnused(lock: OpenLock, folder: string): Promise<void> {
  if (lock.uses.length > 0) return
  lock.closing ??= lock.database.close().finally(() => locks.delete(folder))
  await lock.closing
}
