/**
 * Reserves disk space before LMDB needs it: LMDB maps its files, and writing to a page without disk space kills the
 * process.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  openSync,
  statfsSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { StorageError } from 'orch/sdk/host'

const mebibyte = 2 ** 20
/** Kept free on the disk for deletes and compaction, which need a few pages to free many. */
export const reservedBytes = 8 * mebibyte
/** What LMDB writes to its table of readers as soon as it opens one. */
const firstPageBytes = 4096

/** Free bytes of the disk that a path is on, or will be. */
export function freeBytesAt(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch (error) {
    const parent = dirname(path)
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && parent !== path) return freeBytesAt(parent)
    // On a file system that does not report it, a write is tried.
    return Number.POSITIVE_INFINITY
  }
}

/** Throws if the disk has too little space for an operation, before anything is written. */
export function requireSpace(path: string, bytes: number, what: string): void {
  const free = freeBytesAt(path)
  if (free >= bytes) return
  const sizes = `needs ${inMebibytes(bytes)} on the disk of ${path}, but only ${inMebibytes(free)} are free`
  throw new StorageError('full', `no space left: ${what} ${sizes}`)
}
const inMebibytes = (bytes: number) => `${Math.max(bytes > 0 ? 0.1 : 0, bytes / mebibyte).toFixed(1)} MiB`

/** Creates the reader table of an LMDB environment, unless it exists, with space for what LMDB writes to it. */
export function makeReaderTable(environment: string): void {
  const table = join(environment, 'lock.mdb')
  if (existsSync(table)) return
  const made = `${table}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(made, Buffer.alloc(firstPageBytes), { mode: 0o600 })
    // Never replaces one that another process has created and opened meanwhile.
    linkSync(made, table)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    // Not rmSync: its first call takes 20 ms, and this is a part of every start.
    if (existsSync(made)) unlinkSync(made)
  }
}

/**
 * Extends a data file of LMDB to this size, so that later transactions have space. Only inside a transaction: others
 * wait.
 */
export function growTo(file: string, bytes: number): void {
  const open = openSync(file, 'r+')
  try {
    const { size } = fstatSync(open)
    if (size < bytes) writeSync(open, Buffer.alloc(bytes - size), 0, bytes - size, size)
  } finally {
    closeSync(open)
  }
}
