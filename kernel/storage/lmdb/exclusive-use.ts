/** Some maintenance replaces the file of a store, which no other process may have open meanwhile. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError } from 'orch/sdk'

const markPath = (dataDir: string): string => join(dataDir, 'store.maintenance')

/** Throws while a live process maintains the store. A mark left behind by a dead one is removed. */
export function refuseDuringMaintenance(dataDir: string): void {
  const owner = ownerOf(dataDir)
  if (owner === undefined || owner === process.pid) return
  if (isAlive(owner)) throw new StorageError('unavailable', `process ${owner} is maintaining the store in ${dataDir}`)
  rmSync(markPath(dataDir), { force: true })
}

/** Runs `work` while no process can open the store. Whether one already has it open is for `work` to check. */
export async function whileClosedToOthers<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  refuseDuringMaintenance(dataDir)
  const mark = openMark(dataDir)
  try {
    writeSync(mark, String(process.pid))
    closeSync(mark)
    return await work()
  } finally {
    rmSync(markPath(dataDir), { force: true })
  }
}

function openMark(dataDir: string): number {
  try {
    return openSync(markPath(dataDir), 'wx')
  } catch (cause) {
    throw new StorageError('unavailable', `another process is maintaining the store in ${dataDir}`, { cause })
  }
}

function ownerOf(dataDir: string): number | undefined {
  try {
    const owner = Number.parseInt(readFileSync(markPath(dataDir), 'utf8'), 10)
    return Number.isInteger(owner) ? owner : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
