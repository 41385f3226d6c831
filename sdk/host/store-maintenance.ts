import type { Revision } from './storage.js'

/** How many objects of each collection are stored in each version; '' stands for objects without one. */
export type VersionCounts = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Operations of an engine on the files of one store. Reading works beside a running server; restore and compact need exclusive access. */
export interface StoreMaintenance {
  stats(): Promise<StoreFileStats>
  verify(): Promise<VerifyResult>
  /** Copies the store, as of one moment, to a file, and checks the copy; a folder gets a file named after the revision. */
  backup(target: string, progress?: MaintenanceProgress): Promise<BackupResult>
  /**
   * Restores a backup, as of its last revision or of an earlier point that its history still covers. `replaced` is where the previous store
   * was moved to.
   */
  restore(backup: string, point?: RestorePoint, progress?: MaintenanceProgress): Promise<RestoreResult>
  /** Drops all history and releases free space. */
  compact(): Promise<{ revision: Revision; forgottenEntries: number; bytesBefore: number; bytesAfter: number }>
}

/** Called with the progress of a long operation: its step, such as `Checked`, and how many objects are done. */
export type MaintenanceProgress = (step: string, done: number, all: number) => void

/** A backup that was written. */
export interface BackupResult {
  readonly file: string
  readonly bytes: number
  readonly revision: Revision
  readonly keys: number
}
/** The state to restore: of a revision, or of a time in milliseconds since the epoch. */
export interface RestorePoint {
  readonly revision?: Revision
  readonly time?: number
}
/** A backup that was restored. */
export interface RestoreResult {
  /** The revision from which the restored store continues. */
  readonly revision: Revision
  /** The state that was restored. */
  readonly restored: Revision
  readonly keys: number
  readonly replaced: string | undefined
}

/** Figures of the files of a store. */
export interface StoreFileStats {
  readonly path: string
  readonly revision: Revision
  readonly compactedRevision: Revision
  readonly keys: number
  readonly historyEntries: number
  readonly fileBytes: number
  /** The size of the file without free pages. */
  readonly usedBytes: number
  /** Other processes that have the store open. */
  readonly processes: readonly number[]
  readonly versions: VersionCounts
}

/** The result of a check of everything that is stored. */
export interface VerifyResult {
  readonly isSound: boolean
  /** One line for each broken rule; at most the first hundred. */
  readonly problems: readonly string[]
  readonly revision: Revision
  readonly compactedRevision: Revision
  readonly keys: number
  readonly historyEntries: number
}
