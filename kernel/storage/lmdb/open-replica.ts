/**
 * Replicas in `<folder>/<number>`: every process of a server has one of its own, the first that nobody uses.
 *
 * Nothing in them is synced. What a process wrote outlives it, but not the machine: so a replica is used again only if it was
 * closed, which syncs it, or if the machine has not been started since. `use.json` tells which; it is written durably before the
 * first change.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { moveDurably, StorageError, type StoreReplica } from 'orch/sdk/host'
import { lockFolder } from '../folder-lock.js'
import { checkDataFile, dataFile } from './data-file.js'
import { Environment, storePath } from './environment.js'
import { LmdbReplica, sourceOf } from './lmdb-replica.js'

export interface OpenReplicaOptions {
  readonly folder: string
  readonly source: string
  readonly now: () => number
  readonly warn: (message: string) => void
}

/** Raised when older replicas cannot be read: they are rebuilt. */
const format = 1
const mostProcesses = 100

interface Use {
  readonly format: number
  /** The start of the machine in which it was last written to; undefined where the system does not tell. */
  readonly boot: string | undefined
  readonly isClosed: boolean
}

export async function openReplica({ folder, source, now, warn }: OpenReplicaOptions): Promise<StoreReplica> {
  const { place, unlock } = await takePlace(folder)
  try {
    makeTrustworthy(place, warn)
    noteUse(place, false)
    let environment = new Environment({ dataDir: place, isCopy: true })
    const found = sourceOf(environment)
    // An incomplete replica is filled again, and so is one of another source.
    if (found !== source) {
      await environment.close()
      removeData(place)
      noteUse(place, false)
      environment = new Environment({ dataDir: place, isCopy: true })
    }
    const release = async (areKept: boolean): Promise<void> => {
      try {
        await environment.close()
        if (areKept) {
          sync(dataFile(storePath(place)))
          noteUse(place, true)
        } else removeData(place)
      } finally {
        await unlock()
      }
    }
    return new LmdbReplica({ environment, source, now, warn, release })
  } catch (error) {
    await unlock()
    throw error
  }
}

/**
 * Removes replicas of processes that a server no longer has. Their locks stay: another process may be about to acquire
 * one.
 */
export async function removeReplicasFrom(folder: string, number: number): Promise<void> {
  const places = existsSync(folder)
    ? readdirSync(folder).filter(name => /^\d+$/.test(name) && Number(name) >= number)
    : []
  for (const place of places.map(name => join(folder, name))) {
    if (!existsSync(storePath(place))) continue
    try {
      const unlock = await lockPlace(place)
      removeData(place)
      await unlock()
    } catch (error) {
      if (!isTaken(error)) throw error
    }
  }
}

const lockPlace = (place: string): Promise<() => Promise<void>> =>
  lockFolder(place, { role: 'server', what: 'a replica' })
const isTaken = (error: unknown): boolean =>
  error instanceof StorageError && error.kind === 'unavailable' && error.cause === undefined

async function takePlace(folder: string): Promise<{ place: string; unlock: () => Promise<void> }> {
  for (let number = 0; ; number++) {
    const place = join(folder, String(number))
    mkdirSync(place, { recursive: true, mode: 0o700 })
    try {
      return { place, unlock: await lockPlace(place) }
    } catch (error) {
      if (!isTaken(error) || number === mostProcesses) throw error
    }
  }
}

/** Removes data that would crash LMDB, or that may be incomplete. */
function makeTrustworthy(place: string, warn: (message: string) => void): void {
  if (!existsSync(storePath(place))) return
  const use = readUse(place)
  const isKept = use?.format === format && (use.isClosed || (use.boot !== undefined && use.boot === currentBoot()))
  if (!isKept) return removeData(place)
  try {
    // Whatever ended the process without closing it may happen again, so it is checked completely.
    checkDataFile(dataFile(storePath(place)), use.isClosed ? undefined : Number.POSITIVE_INFINITY)
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    warn(`the replica in ${place} is rebuilt: ${error.message.split('. ')[0]}`)
    removeData(place)
  }
}

const usePath = (place: string): string => join(place, 'use.json')

function readUse(place: string): Use | undefined {
  try {
    return JSON.parse(readFileSync(usePath(place), 'utf8')) as Use
  } catch {
    // Missing or unreadable: the data cannot be trusted.
    return undefined
  }
}
function noteUse(place: string, isClosed: boolean): void {
  const use: Use = { format, boot: currentBoot(), isClosed }
  const unfinished = `${usePath(place)}.unfinished`
  writeFileSync(unfinished, `${JSON.stringify(use)}\n`, { mode: 0o600 })
  moveDurably(unfinished, usePath(place))
}
function removeData(place: string): void {
  rmSync(usePath(place), { force: true })
  rmSync(storePath(place), { recursive: true, force: true })
}

function currentBoot(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return undefined
  }
}

function sync(file: string): void {
  const open = openSync(file, 'r')
  try {
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
}
