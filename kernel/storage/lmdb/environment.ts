/** The LMDB environment of a store: its databases, its transactions and its errors. */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Database,
  type DatabaseOptions,
  type Key,
  open,
  type RootDatabase,
  type RootDatabaseOptionsWithPath,
} from 'lmdb'
import { type Revision, StorageError } from 'orch/sdk/host'
import { freeBytesAt, growTo, makeReaderTable, requireSpace, reservedBytes } from '../disk-space.js'
import { decodeState, encodeState, readRevision, type State, writeRevision } from '../revision.js'
import { checkDataFile, dataFile } from './data-file.js'
import { type Limits, usualLimits } from './limits.js'
import { storageErrorFrom } from './lmdb-errors.js'
import { begunTooEarly, NewestTransaction } from './newest-transaction.js'
import type { RootSizes, Sizes } from './tree-sizes.js'

export interface EnvironmentOptions {
  readonly dataDir: string
  /** Address space reserved for the file; it costs nothing until used. LMDB remaps beyond it, which keeps old mappings. */
  readonly mapBytes?: number
  /** Most processes and reading threads at a time. */
  readonly maxReaders?: number
  readonly limits?: Partial<Limits>
  /** For a copy that can be rebuilt: nothing waits for the disk, and transactions are synchronous. */
  readonly isCopy?: boolean
}

/** What a scan sees of an item. Valid only during the call, in which no other read may happen. */
export type Visit = (value: Buffer, size: number) => void
/** Where the key of the scanned item is; valid until the next read. */
export interface ScannedKey {
  bytes: Buffer
  start: number
  end: number
}
/** A database whose values are handed to `visit` instead of being copied: the fastest way through a range. */
export interface Scan {
  readonly database: Database<undefined, Buffer>
  readonly key: ScannedKey
  visit: Visit
}

const gibibyte = 2 ** 30
/** The space that a small transaction needs. */
const spareBytes = 2 ** 16
const stateKey = Buffer.from('state')
const none = Buffer.alloc(0)
/** As in etcd an empty store is at revision 1, because clients read resourceVersion "0" as "any". */
const newState: State = { revision: 1, compacted: 1 }

const textKeys = {
  writeKey: (key: string | Buffer, target: Buffer, start: number): number => {
    if (typeof key === 'string') return start + target.write(key, start)
    target.set(key, start)
    return start + key.length
  },
  readKey: (source: Buffer, start: number, end: number): string => source.toString('utf8', start, end),
}
const revisionKeys = {
  writeKey: (revision: Revision, target: Buffer, start: number): number => writeRevision(target, revision, start),
  readKey: (source: Buffer, start: number): Revision => readRevision(source, start),
}

/** lmdb returns one shared buffer, which the next read overwrites, and sets its length property. */
export function copyOf(shared: Buffer | undefined): Buffer | undefined {
  if (shared === undefined) return undefined
  const { length } = shared
  const copy = Buffer.allocUnsafe(length)
  copy.set(shared.subarray(0, length))
  return copy
}

const remedies: readonly (readonly [RegExp, string])[] = [
  [/Read-only file system/, '. Copy the data folder to a writable disk, and use the copy'],
  [/Permission denied/, '. Run as the owner of its files, or change their mode'],
]
/** Opens an environment, or throws a one-line error with its path and the reason. */
export function openEnvironment<V, K extends Key>(options: RootDatabaseOptionsWithPath): RootDatabase<V, K> {
  try {
    return open<V, K>(options)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const remedy = remedies.find(([pattern]) => pattern.test(why))?.[1] ?? ''
    throw new StorageError('unavailable', `${options.path} cannot be opened: ${why}${remedy}`, { cause })
  }
}

/** A store begins with less than what is kept free on the disk; with less free nothing could be written to it. */
function makeRoom(path: string): void {
  if (!existsSync(dataFile(path))) requireSpace(path, reservedBytes, 'a new store')
  mkdirSync(path, { recursive: true, mode: 0o700 })
  makeReaderTable(path)
}

export const storePath = (dataDir: string): string => join(dataDir, 'store')

export class Environment {
  readonly path: string
  readonly limits: Limits
  readonly current: Database<Buffer, string>
  readonly log: Database<Buffer, Revision>
  readonly past: Database<Buffer, Buffer>
  readonly scanCurrent: Scan
  readonly scanPast: Scan
  readonly scanLog: Scan
  readonly #root: RootDatabase<Buffer, Buffer>
  readonly #meta: Database<Buffer, Buffer>
  readonly #isCopy: boolean
  readonly #newest: NewestTransaction
  #isClosed = false

  constructor({ dataDir, mapBytes = 64 * gibibyte, maxReaders = 512, limits, isCopy = false }: EnvironmentOptions) {
    this.#isCopy = isCopy
    this.limits = { ...usualLimits, ...limits }
    this.path = storePath(dataDir)
    checkDataFile(dataFile(this.path))
    makeRoom(this.path)
    // overlappingSync would show commits to readers before they are durable.
    this.#root = openEnvironment<Buffer, Buffer>({
      path: this.path,
      mapSize: mapBytes,
      maxDbs: 8,
      maxReaders,
      overlappingSync: false,
      noSync: isCopy,
      // Batching by turn creates a promise that cannot be handled: a failed commit would end the process.
      eventTurnBatching: false,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      // A list of free pages that is kept for the next transaction is wrong once a reader has begun on an old state: pages
      // would be used twice. A copy has only one process.
      ...(!isCopy && { maxFreeSpaceToRetain: 0 }),
    })
    this.#newest = new NewestTransaction(this.#root, this.path)
    // In one transaction: on an old state, whose pages may have been reused, a database would seem to be missing, and be created.
    const opened = this.transactionNow(() => ({
      current: this.#open<string>('current', { encoding: 'binary', keyEncoder: textKeys }),
      past: this.#open<Buffer>('past', { encoding: 'binary', keyEncoding: 'binary' }),
      log: this.#open<Revision>('log', { encoding: 'binary', keyEncoder: revisionKeys }),
      meta: this.#open<Buffer>('meta', { encoding: 'binary', keyEncoding: 'binary' }),
      scanCurrent: this.#openScan('current'),
      scanPast: this.#openScan('past'),
      scanLog: this.#openScan('log'),
    }))
    this.current = opened.current
    this.past = opened.past
    this.log = opened.log
    this.#meta = opened.meta
    this.scanCurrent = opened.scanCurrent
    this.scanPast = opened.scanPast
    this.scanLog = opened.scanLog
    this.transactionNow(() => {
      const state = this.#meta.getBinary(stateKey)
      if (state === undefined) this.writeState(newState)
      // lmdb 3.5.6 looks for the last entry of its list of free pages even if there is none, and then aborts the process, when
      // the first pages to be freed are many. A compacted copy has no free pages, so a small transaction frees some first.
      else if (this.#sizes().free.entryCount === 0) {
        if (freeBytesAt(this.path) < reservedBytes) growTo(dataFile(this.path), this.fileBytes() + spareBytes)
        this.#meta.putSync(stateKey, state)
      }
    })
  }

  #open<K extends string | number | Buffer>(name: string, options: DatabaseOptions & { keyEncoder?: unknown }) {
    return this.#root.openDB<Buffer, K>(name, options)
  }

  #openScan(name: string): Scan {
    const key: ScannedKey = { bytes: none, start: 0, end: 0 }
    const scan: { database?: Database<undefined, Buffer>; key: ScannedKey; visit: Visit } = { key, visit: () => {} }
    const options = {
      encoder: {
        encode: (value: Buffer) => value,
        decode: (value: Buffer, size: number) => scan.visit(value, size),
      },
      keyEncoder: {
        writeKey: textKeys.writeKey,
        readKey: (source: Buffer, start: number, end: number) => {
          key.bytes = source
          key.start = start
          key.end = end
        },
      },
    }
    scan.database = this.#root.openDB<undefined, Buffer>(name, options as DatabaseOptions)
    return scan as Scan
  }

  /** As of the snapshot that this turn reads, or of the running transaction. */
  readState(): State {
    // Lists span several turns: one whose store was closed must not call LMDB.
    if (this.#isClosed) throw new StorageError('unavailable', `${this.path} is closed`)
    const bytes = this.#meta.getBinaryFast(stateKey)
    if (bytes === undefined) throw new StorageError('corrupt', `${this.path} has no state`)
    return decodeState(bytes)
  }
  /** Only inside a transaction. */
  writeState(state: State): void {
    this.#meta.putSync(stateKey, encodeState(state))
  }

  /** A note of the owner, kept with the data. */
  readNote(name: string): string | undefined {
    return this.#meta.getBinary(Buffer.from(name))?.toString()
  }
  /** Only inside a transaction. */
  writeNote(name: string, text: string): void {
    this.#meta.putSync(Buffer.from(name), Buffer.from(text))
  }

  /** Only inside a transaction: keeps the newest state, as of `revision`, and drops all history. */
  forgetHistory(revision: Revision): void {
    this.log.clearSync()
    this.past.clearSync()
    this.writeState({ revision, compacted: revision })
  }

  /** Releases the snapshot of this turn, so that the next read sees what other processes committed. */
  refresh(): void {
    this.#root.resetReadTxn()
  }

  /** For when a read shows an older state than one before it: see NewestTransaction. Waits for the write lock. */
  restoreNewest(): void {
    this.transactionNow(() => {})
    this.refresh()
  }

  /**
   * Runs `change` under the write lock that all processes share and resolves when it is durable. `change` is synchronous.
   * What it throws undoes all it did: hence a child transaction, as lmdb does not undo a plain one.
   */
  async transaction<T>(change: () => T): Promise<T> {
    try {
      if (this.#isCopy) return this.transactionNow(change)
      for (;;) {
        const result = await this.#root.childTransaction(() => (this.#newest.isCurrent() ? change() : begunTooEarly))
        if (result !== begunTooEarly) return result
      }
    } catch (error) {
      throw await storageErrorFrom(error)
    }
  }

  /** The transaction is over when this returns: for a copy, or at the start. What `change` throws undoes all it did. */
  transactionNow<T>(change: () => T): T {
    for (;;) {
      const result = this.#root.transactionSync(() => (this.#newest.isCurrent() ? change() : begunTooEarly))
      if (result !== begunTooEarly) return result
    }
  }

  /** Pages in use, in bytes. The file may be larger: it keeps free pages for reuse. */
  usedBytes(): number {
    const { root, free, pageSize } = this.#sizes()
    let pages = 2
    for (const database of [
      root,
      free,
      this.#sizesOf(this.current),
      this.#sizesOf(this.past),
      this.#sizesOf(this.log),
    ]) {
      pages += database.treeBranchPageCount + database.treeLeafPageCount + database.overflowPages
    }
    return pages * pageSize
  }
  fileBytes(): number {
    return statSync(dataFile(this.path)).size
  }
  #sizes = (): RootSizes => this.#root.getStats() as RootSizes
  #sizesOf = (database: { getStats(): object }): Sizes => database.getStats() as Sizes
  keyCount = (): number => this.#sizesOf(this.current).entryCount
  logCount = (): number => this.#sizesOf(this.log).entryCount

  /** Process ids that have the store open, this one included. */
  processes(): Set<number> {
    const lines = this.#root.readerList().split('\n').slice(1)
    return new Set(lines.map(line => Number.parseInt(line, 10)).filter(Number.isInteger))
  }
  /** Frees the reader slots of dead processes, which would otherwise keep old pages from being reused. */
  dropDeadReaders = (): number => this.#root.readerCheck()

  copyTo = (directory: string, compact: boolean): Promise<void> => this.#root.backup(directory, compact)
  close = (): Promise<void> => {
    this.#isClosed = true
    return this.#root.close()
  }
}
