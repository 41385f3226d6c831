import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { dataFile } from './lmdb/data-file.js'
import { storePath } from './lmdb/environment.js'

/** Where a store is built before it replaces another. */
export const unfinishedPath = (dataDir: string): string => join(dataDir, 'store.unfinished')
const keptName = 'store-before-'
/** A store that was replaced is kept beside the new one, under this name. */
export function keptPath(dataDir: string, revision: number): string {
  const wanted = join(dataDir, `${keptName}${revision}`)
  for (let number = 0; ; number++) {
    const path = number === 0 ? wanted : `${wanted}-${number}`
    if (!existsSync(path)) return path
  }
}

/** From which revision on a store was last restored in a data folder; 0 when none was. */
export const newestKept = (dataDir: string): number =>
  readdirSync(dataDir)
    .filter(name => name.startsWith(keptName))
    .map(name => Number.parseInt(name.slice(keptName.length), 10) || 0)
    .reduce((newest, each) => Math.max(newest, each), 0)

/** What maintenance leaves when its process is killed, and what versions before this one left. */
const leftovers = /^(store\.unfinished|store\.maintenance|\.orch-storage-.*)$/

/** Removes leftovers of killed maintenance from a data folder. Requires exclusive use. */
export function tidyFolder(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const isLeftOver = leftovers.test(name) || (name.startsWith(keptName) && isInUse(dataDir, join(dataDir, name)))
    if (isLeftOver) rmSync(join(dataDir, name), { recursive: true, force: true })
  }
}

/** Whether it is still the current store: the process was killed right before replacing it. */
function isInUse(dataDir: string, kept: string): boolean {
  const [one, other] = [dataFile(storePath(dataDir)), dataFile(kept)].map(file =>
    statSync(file, { throwIfNoEntry: false }),
  )
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev
}
