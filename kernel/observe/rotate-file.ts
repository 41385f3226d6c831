import { closeSync, fstatSync, linkSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'

/** When a log file is rotated, and how many rotated files are retained. 0 means no limit. */
export interface Rotation {
  readonly maxMegabytes: number
  readonly maxBackups: number
  readonly maxAgeDays: number
}

const dayMs = 24 * 3_600_000

/** `audit.log` is rotated to `audit-2026-11-16T10-51-07.123.log`. */
function backupPath(path: string, now: number): string {
  const [stem, extension] = partsOf(path)
  const time = new Date(now).toISOString().replaceAll(':', '-').replace('Z', '')
  return join(dirname(path), `${stem}-${time}${extension}`)
}
function partsOf(path: string): [stem: string, extension: string] {
  const extension = extname(path)
  return [basename(path, extension), extension]
}

/** When a rotated file was rotated; undefined for other files. */
function backedUpAt(path: string, name: string): number | undefined {
  const [stem, extension] = partsOf(path)
  if (!name.startsWith(`${stem}-`) || !name.endsWith(extension)) return undefined
  const time = name.slice(stem.length + 1, name.length - extension.length)
  if (!/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}$/.test(time)) return undefined
  const [day = '', hours = ''] = time.split('T')
  return Date.parse(`${day}T${hours.replaceAll('-', ':')}Z`)
}

/**
 * Rotates a file: renames it and creates an empty one, unless its inode has changed, because another process has already done it.
 * Only one process of a server does this, so that there is no race between the check and the rename.
 */
export function rotateFile(path: string, inode: number, now: number): void {
  if (inodeOf(path) !== inode) return
  const empty = `${path}.${process.pid}`
  closeSync(openSync(empty, 'w', 0o600))
  const backup = linkBackup(path, now)
  try {
    // Replaced atomically, so that the file exists at any time.
    renameSync(empty, path)
  } catch (error) {
    rmSync(backup, { force: true })
    throw error
  } finally {
    rmSync(empty, { force: true })
  }
}

/** Of two rotations within a millisecond the second takes the next name, so that no file is overwritten. */
function linkBackup(path: string, now: number): string {
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

/** Deletes rotated files that are too old or too many; the newest are retained. */
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

/** The inode of a file; undefined if it does not exist. */
export function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

/** Is the last line of a file complete? If the path is not a file or cannot be read, it counts as complete. */
export function endsInLine(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return true
  let fd: number | undefined
  try {
    fd = openSync(path, 'r')
    const { size } = fstatSync(fd)
    const last = Buffer.alloc(1)
    return size === 0 || readSync(fd, last, 0, 1, size - 1) === 0 || last.toString() === '\n'
  } catch {
    return true
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
