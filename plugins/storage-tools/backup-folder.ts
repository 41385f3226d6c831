import { createReadStream, existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupResult, ServedStore } from 'orch/sdk/host'
import { exportToFile } from './export-store.js'
import { readExport } from './read-export.js'

/** Matches the files of the schedule only: the folder may contain other files. */
const backupName = /^orch-store-\d+\.(mdb|jsonl)$/

export interface KeptBackup {
  readonly file: string
  readonly bytes: number
  /** When it was finished, in milliseconds since the epoch. */
  readonly at: number
}

/** Clocks of file systems are coarse, and may belong to another machine. */
const clockToleranceMs = 60_000

/**
 * The backups in a folder, newest first. One with a time in the future was made before the clock was set back, so it counts as the
 * oldest: otherwise it would be kept instead of newer ones.
 */
export async function backupsIn(folder: string, now: number): Promise<KeptBackup[]> {
  if (!existsSync(folder)) return []
  const names = (await readdir(folder)).filter(name => backupName.test(name))
  const found = await Promise.all(
    names.map(async name => {
      const file = join(folder, name)
      const { size, mtimeMs } = await stat(file)
      return { file, bytes: size, at: mtimeMs }
    }),
  )
  const isPast = ({ at }: KeptBackup) => Number(at <= now + clockToleranceMs)
  return found.sort((one, other) => isPast(other) - isPast(one) || other.at - one.at)
}

/** Writes a backup into a folder and reads it back: a copy of the files, or an export where the engine keeps none of its own. */
export async function backUpInto(folder: string, served: ServedStore, signal: AbortSignal): Promise<BackupResult> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (served.backUp) return served.backUp(folder, signal)
  const target = join(folder, `orch-store-${await served.store.latestRevision()}.jsonl`)
  const { revision, count } = await exportToFile(served.store, target, () => signal.throwIfAborted())
  const { records } = await readExport(createReadStream(target))
  for await (const _ of records) signal.throwIfAborted()
  return { file: target, bytes: (await stat(target)).size, revision, keys: count }
}

/** Removes all but the newest backups. Returns how many are left. */
export async function keepNewest(folder: string, keep: number, now: number): Promise<number> {
  const found = await backupsIn(folder, now)
  if (keep === 0) return found.length
  await Promise.all(found.slice(keep).map(({ file }) => rm(file, { force: true })))
  return Math.min(found.length, keep)
}
