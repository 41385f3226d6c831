/**
 * Keeps a process that opens the store from undoing a commit of another one.
 *
 * All processes share the number of the newest transaction, in the file of locks. Opening an environment sets it to what
 * the process read from the data file a moment ago, without the write lock (mdb_env_open2 in lmdb 3.5.6). If another
 * process commits in that moment, its commit is forgotten: readers see the state before it, and the next writer overwrites
 * it, although it was acknowledged. So every write transaction first compares the state it began on with the data file,
 * under the write lock, which no commit can pass.
 */
import { openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { RootDatabase } from 'lmdb'
import { StorageError } from 'orch/sdk/host'

const magic = 0xbeefc0de
const numberPlace = 8
/** More than as many processes begin at a time. */
const mostAttempts = 100

declare module 'lmdb' {
  interface Database {
    /** Its types leave it out. */
    readonly env: { info(): { readonly lastTxnId: number } }
  }
}
type Root = Pick<RootDatabase, 'getWriteTxnId' | 'env'>

/** What a transaction returns that began on an old state, and so did nothing. */
export const begunTooEarly = Symbol('begun too early')

export class NewestTransaction {
  readonly #root: Root
  readonly #lockFile: string
  /** Never closed: closing any descriptor of the file would release the locks that LMDB has on it. */
  #descriptor: number | undefined
  #failedAttempts = 0

  constructor(root: Root, path: string) {
    this.#root = root
    this.#lockFile = join(path, 'lock.mdb')
  }

  /** Within a write transaction: did it begin on the newest state? If not, the next one will, unless another process opens the store. */
  isCurrent(): boolean {
    const newest = this.#root.env.info().lastTxnId
    if (this.#root.getWriteTxnId() > newest) {
      this.#failedAttempts = 0
      return true
    }
    if (this.#failedAttempts++ === mostAttempts)
      throw new StorageError('unavailable', `${this.#lockFile}: other processes open the store all the time`)
    this.#announce(newest)
    return false
  }

  /** Corrects the number that the processes share. */
  #announce(newest: number): void {
    this.#descriptor ??= openSync(this.#lockFile, 'r+')
    const head = Buffer.alloc(numberPlace + 8)
    readSync(this.#descriptor, head, 0, head.length, 0)
    if (head.readUInt32LE(0) !== magic || head.readBigUInt64LE(numberPlace) > BigInt(newest)) {
      throw new StorageError('unavailable', `${this.#lockFile} is unlike what lmdb 3.5.6 writes: restart all processes`)
    }
    head.writeBigUInt64LE(BigInt(newest), numberPlace)
    writeSync(this.#descriptor, head, numberPlace, 8, numberPlace)
  }
}
