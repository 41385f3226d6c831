/**
 * Checks a data file of LMDB before LMDB opens it. LMDB maps the file and trusts its contents: a damaged page kills the process with a signal. Here nothing is mapped, and every number is checked before it is followed.
 *
 *   page   [number 8][transaction 8][unused 2][flags 2][lower 2][upper 2][places of nodes 2 each] ... [nodes]
 *          lower and upper bound the free space between places and nodes; they and the places count from the end of upper
 *   node   [low 2][high 2][flags 2][length of key 2][key][data]; in a branch low, high and flags are the number of a page
 *   meta   page 0 and 1: magic, version, two trees (free pages, names), last page, transaction; the newer one counts
 *
 * Numbers are in the byte order of the machine, which is little endian on all that this runs on.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError } from 'orch/sdk/host'

export const dataFile = (storePath: string): string => join(storePath, 'data.mdb')

const magic = 0xbeefc0de
const dataVersion = 2
const headerBytes = 24
const metaBytes = 176
const treeBytes = 48
const nodeBytes = 8
const flagsOf = { branch: 1, leaf: 2, overflow: 4, meta: 8 }
const nodeFlags = { elsewhere: 1, tree: 2 }
/** Its keys are numbers. */
const freeTreeFlags = 8
const noPage = 0xffffffffffffffffn
const deepestTree = 32
/** A store in use may change during the check, which is then repeated. */
const attempts = 5
/** What is checked before a store is opened: small stores completely, of large ones the upper pages of every tree. */
const pagesLookedAt = 4000

const restoreRemedy = 'Restore a backup with orch storage restore <backup>'

/** Throws for a file that would crash LMDB. `mostPages` bounds the time it takes. A missing file is fine. */
export function checkDataFile(path: string, mostPages = pagesLookedAt, remedy = restoreRemedy): void {
  for (let attempt = 1; ; attempt++) {
    // A process that writes all the time already uses the trees: then only the first pages are checked.
    const { damage, transaction } = lookAt(path, attempt > attempts ? 0 : mostPages)
    if (damage === undefined) return
    // Another process wrote meanwhile, and pages may have been reused.
    if (lookAt(path, 0).transaction === transaction) throw damagedFile(path, damage, remedy)
  }
}

export const damagedFile = (path: string, damage: string, remedy = restoreRemedy): StorageError =>
  new StorageError('corrupt', `${path} is damaged: ${damage}. ${remedy}`)

interface Tree {
  readonly root: bigint
  readonly depth: number
}
interface Meta {
  readonly pageSize: number
  readonly transaction: bigint
  readonly lastPage: bigint
  readonly trees: readonly [Tree, Tree]
}
class Damage extends Error {}

function lookAt(path: string, mostPages: number): { damage: string | undefined; transaction: bigint } {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return { damage: undefined, transaction: 0n }
  if (!found.isFile()) return { damage: 'it is not a file', transaction: 0n }
  const file = openSync(path, 'r')
  let transaction = 0n
  try {
    if (found.size === 0) throw new Damage('it is empty')
    const meta = newestMeta(file)
    transaction = meta.transaction
    // Read after the first pages: a file in use grows, and they refer to a page only once it exists.
    const { size } = fstatSync(file)
    checkLastPage(meta, size)
    new TreeWalk(file, size, meta, mostPages).walk()
    return { damage: undefined, transaction }
  } catch (error) {
    if (error instanceof Damage) return { damage: error.message, transaction }
    throw error
  } finally {
    closeSync(file)
  }
}

function newestMeta(file: number): Meta {
  const first = readMeta(file, 0n, 0)
  const second = readMeta(file, 1n, first.pageSize)
  if (second.pageSize !== first.pageSize) throw new Damage('its first two pages are inconsistent')
  return second.transaction > first.transaction ? second : first
}

/** Pages at the end that were freed before they were ever written are missing by right, but never this many. */
function checkLastPage({ lastPage }: Meta, size: number): void {
  if (lastPage > BigInt(size) * 2n) throw new Damage(`its last page is given as ${lastPage}`)
}

function readMeta(file: number, number: bigint, position: number): Meta {
  const bytes = Buffer.alloc(metaBytes)
  const which = number === 0n ? 'first' : 'second'
  if (readSync(file, bytes, 0, metaBytes, position) < metaBytes)
    throw new Damage(`it is truncated in its ${which} page`)
  if (bytes.readUInt32LE(headerBytes) !== magic) throw new Damage(`its ${which} page is not that of a store`)
  const version = bytes.readUInt32LE(headerBytes + 4)
  if (version !== dataVersion) throw new Damage(`its ${which} page has version ${version}, not ${dataVersion}`)
  const pageSize = bytes.readUInt32LE(48)
  const isPageSize = pageSize >= 512 && pageSize <= 65536 && (pageSize & (pageSize - 1)) === 0
  const isMeta = (bytes.readUInt16LE(18) & flagsOf.meta) !== 0 && bytes.readBigUInt64LE(0) === number
  // Flags determine how keys are compared and values are stored: any that are not written by us are an error.
  const isFlagged = bytes.readUInt16LE(52) === freeTreeFlags && bytes.readUInt16LE(100) === 0
  const isPlain = isFlagged && bytes.readBigUInt64LE(32) === 0n
  if (!isPageSize || !isMeta || !isPlain) throw new Damage(`its ${which} page is invalid`)
  return {
    pageSize,
    trees: [readTree(bytes, 48), readTree(bytes, 48 + treeBytes)],
    lastPage: bytes.readBigUInt64LE(144),
    transaction: bytes.readBigUInt64LE(152),
  }
}
const readTree = (bytes: Buffer, at: number): Tree => ({
  depth: bytes.readUInt16LE(at + 6),
  root: bytes.readBigUInt64LE(at + 40),
})

interface Visit {
  readonly page: bigint
  /** Steps to the leaves, this page included. */
  readonly levels: number
  /** Whether nodes of leaves may be trees themselves. */
  readonly hasTrees: boolean
}

/** Follows every tree, level by level, as far as it may. */
class TreeWalk {
  readonly #file: number
  readonly #size: number
  readonly #meta: Meta
  readonly #mostPages: number
  readonly #page: Buffer
  readonly #header = Buffer.alloc(headerBytes)
  readonly #queue: Visit[] = []

  constructor(file: number, size: number, meta: Meta, mostPages: number) {
    this.#file = file
    this.#size = size
    this.#meta = meta
    this.#mostPages = mostPages
    this.#page = Buffer.alloc(meta.pageSize)
  }

  walk(): void {
    const [free, main] = this.#meta.trees
    this.#enter(free, false)
    this.#enter(main, true)
    for (let looked = 0; looked < this.#queue.length && looked < this.#mostPages; looked++) {
      this.#look(this.#queue[looked]!)
    }
  }

  #enter({ root, depth }: Tree, hasTrees: boolean): void {
    if (root === noPage) return
    if (depth === 0 || depth > deepestTree) throw new Damage(`a tree claims to be ${depth} pages deep`)
    this.#queue.push({ page: root, levels: depth, hasTrees })
  }

  #look({ page, levels, hasTrees }: Visit): void {
    const bytes = this.#read(page, 1n)
    const flags = bytes.readUInt16LE(18)
    const isLeaf = (flags & flagsOf.leaf) !== 0
    if (isLeaf === ((flags & flagsOf.branch) !== 0)) throw new Damage(`page ${page} has no known kind`)
    if (isLeaf !== (levels === 1)) throw new Damage(`page ${page} is on a wrong level of its tree`)
    const [lower, upper] = [bytes.readUInt16LE(20) + headerBytes, bytes.readUInt16LE(22) + headerBytes]
    if (lower % 2 !== 0 || lower > upper || upper > bytes.length) {
      throw new Damage(`page ${page} has impossible bounds`)
    }
    for (let place = headerBytes; place < lower; place += 2) {
      const at = bytes.readUInt16LE(place) + headerBytes
      const keyEnd = at + nodeBytes + (at + nodeBytes <= bytes.length ? bytes.readUInt16LE(at + 6) : 0)
      if (at < upper || keyEnd > bytes.length) throw new Damage(`page ${page} has a node beyond its end`)
      if (isLeaf) this.#lookAtLeaf(page, bytes, at, keyEnd, hasTrees)
      else {
        const child = BigInt(bytes.readUInt32LE(at)) + (BigInt(bytes.readUInt16LE(at + 4)) << 32n)
        this.#checkRange(child, 1n)
        this.#queue.push({ page: child, levels: levels - 1, hasTrees })
      }
    }
  }

  #lookAtLeaf(page: bigint, bytes: Buffer, at: number, keyEnd: number, hasTrees: boolean): void {
    const flags = bytes.readUInt16LE(at + 4)
    const length = bytes.readUInt32LE(at)
    const isElsewhere = (flags & nodeFlags.elsewhere) !== 0
    const inside = isElsewhere ? headerBytes : length
    if (keyEnd + inside > bytes.length) throw new Damage(`page ${page} has a value beyond its end`)
    if (isElsewhere) {
      const first = bytes.readBigUInt64LE(keyEnd)
      this.#checkRange(first, BigInt(Math.ceil((headerBytes + length) / bytes.length)))
      if (this.#mostPages === Number.POSITIVE_INFINITY) this.#checkValue(first)
    } else if ((flags & nodeFlags.tree) !== 0) {
      const isTree = hasTrees && length === treeBytes && bytes.readUInt16LE(keyEnd + 4) === 0
      if (!isTree) throw new Damage(`page ${page} has a tree where none may be`)
      this.#enter(readTree(bytes, keyEnd), false)
    }
  }

  /** Of a value with pages of its own. What is inside has no checksum, and LMDB does not follow it. */
  #checkValue(page: bigint): void {
    readSync(this.#file, this.#header, 0, headerBytes, Number(page) * this.#page.length)
    const isValue = (this.#header.readUInt16LE(18) & flagsOf.overflow) !== 0
    if (!isValue || this.#header.readBigUInt64LE(0) !== page) throw new Damage(`page ${page} is not that of a value`)
  }

  #checkRange(first: bigint, count: bigint): void {
    const { lastPage, pageSize } = this.#meta
    if (first < 2n || first + count - 1n > lastPage)
      throw new Damage(`it refers to page ${first}, which it does not have`)
    const needed = (first + count) * BigInt(pageSize)
    if (needed > this.#size)
      throw new Damage(`it is truncated: it has ${this.#size} bytes, and page ${first} ends at ${needed}`)
  }

  #read(page: bigint, count: bigint): Buffer {
    this.#checkRange(page, count)
    const bytes = this.#page
    readSync(this.#file, bytes, 0, bytes.length, Number(page) * bytes.length)
    if (bytes.readBigUInt64LE(0) !== page) throw new Damage(`page ${page} has the number of another page`)
    if (bytes.readBigUInt64LE(8) > this.#meta.transaction) throw new Damage(`page ${page} is from a later transaction`)
    return bytes
  }
}
