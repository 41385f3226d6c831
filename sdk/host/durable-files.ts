import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Called after every durable step, with its name: a test kills the process there. */
export type AtStep = (step: string) => void

/** Renames a file, perhaps over another one, and returns when the result is sure to survive a power loss. */
export function moveDurably(from: string, to: string): void {
  syncPath(from)
  renameSync(from, to)
  syncPath(dirname(to))
}

/** Returns when a file, or the names in a folder, are sure to survive a power loss. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const unfinishedName = /^\.orch-storage-(\d+)-/
/** Names that this process has given out. */
const ownNames = new Set<string>()

/** A path in a folder for an unfinished file. Leftovers of processes that have ended are removed. */
export function unfinishedIn(folder: string): string {
  for (const name of readdirSync(folder)) {
    const pid = Number(unfinishedName.exec(name)?.[1])
    const isLeftOver = pid === process.pid ? !ownNames.has(name) : pid > 0 && !isAlive(pid)
    if (isLeftOver) rmSync(join(folder, name), { recursive: true, force: true })
  }
  // Random, as a process in another container may have the same number.
  const name = `.orch-storage-${process.pid}-${randomBytes(4).toString('hex')}`
  ownNames.add(name)
  return join(folder, name)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
