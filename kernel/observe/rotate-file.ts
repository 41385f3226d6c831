import { closeSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'

/** When a log file is put aside, and how many of those put aside are kept. 0 means no such limit. */
export interface Rotation {
  readonly maxMegabytes: number
  readonly maxBackups: number
  readonly maxAgeDays: number
}

const dayMs = 24 * 3_600_000

/** `audit.log` is put aside as `audit-2026-11-16T10-51-07.123.log`. */
function backupPath(path: string, now: number): string {
  const [stem, extension] = partsOf(path)
  const time = new Date(now).toISOString().replaceAll(':', '-').replace('Z', '')
  return join(dirname(path), `${stem}-${time}${extension}`)
}
function partsOf(path: string): [stem: string, extension: string] {
  const extension = extname(path)
  return [basename(path, extension), extension]
}

/** When a file of this name was put aside; undefined for all others. */
function backedUpAt(path: string, name: string): number | undefined {
  const [stem, extension] = partsOf(path)
  if (!name.startsWith(`${stem}-`) || !name.endsWith(extension)) return undefined
  const time = name.slice(stem.length + 1, name.length - extension.length)
  if (!/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}$/.test(time)) return undefined
  const [day = '', hours = ''] = time.split('T')
  return Date.parse(`${day}T${hours.replaceAll('-', ':')}Z`)
}

/**
 * Puts a file aside and an empty one in its place, unless that is not the file of this inode any more: then another process has
 * done it. Only one process of a server does this, so that nobody comes between the look and the move.
 */
export function putAside(path: string, inode: number, now: number): void {
  if (inodeOf(path) !== inode) return
  const empty = `${path}.${process.pid}`
  closeSync(openSync(empty, 'w', 0o600))
  const backup = linkAside(path, now)
  try {
    // Replaced in one step, so that there is a file of this name at any time.
    renameSync(empty, path)
  } catch (error) {
    rmSync(backup, { force: true })
    throw error
  } finally {
    rmSync(empty, { force: true })
  }
}

/** Of two within a millisecond the second takes the next name: nothing may be replaced. */
function linkAside(path: string, now: number): string {
  for (let time = now; ; time++) {
    const backup = backupPath(path, time)
    try {
      linkSync(path, backup)
      return backup
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Removes files that were put aside too long ago, or are too many; the newest are kept. */
export async function removeOldBackups(path: string, rotation: Rotation, now: number): Promise<void> {
  const { maxBackups, maxAgeDays } = rotation
  if (maxBackups === 0 && maxAgeDays === 0) return
  const folder = dirname(path)
  const backups = (await readdir(folder))
    .map(name => ({ name, at: backedUpAt(path, name) }))
    .filter((one): one is { name: string; at: number } => one.at !== undefined)
    .sort((one, other) => other.at - one.at)
  const isTooMuch = ({ at }: { at: number }, index: number) =>
    (maxBackups > 0 && index >= maxBackups) || (maxAgeDays > 0 && now - at > maxAgeDays * dayMs)
  await Promise.all(backups.filter(isTooMuch).map(({ name }) => rm(join(folder, name), { force: true })))
}

/** Tells files apart, whatever they are called; undefined when there is none. */
export function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}
