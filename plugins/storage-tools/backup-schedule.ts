import type { Clock, Logger, Metrics } from 'orch/sdk'
import type { ServedStore } from 'orch/sdk/host'
import { backUpInto, backupsIn, type KeptBackup, keepNewest } from './backup-folder.js'

export interface BackupScheduleParts {
  readonly served: ServedStore
  readonly folder: string
  readonly intervalMs: number
  /** How many are kept; 0 keeps all. */
  readonly keep: number
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly status: BackupStatus
}

/** A failed backup is retried after this time, or after the interval if that is shorter. */
const retryMs = 60_000

/** The outcome of the last backup, for the health check. */
export class BackupStatus {
  /** Why the last attempt failed; undefined if it succeeded. */
  failure: string | undefined
}

/** Periodic backups. The interval starts at the newest existing one, so that a restart neither delays nor repeats a backup. */
export class BackupSchedule {
  readonly #parts: BackupScheduleParts
  readonly #stopping = new AbortController()
  #cancel: () => void = () => {}
  #running: Promise<void> = Promise.resolve()

  constructor(parts: BackupScheduleParts) {
    this.#parts = parts
  }

  async start(): Promise<void> {
    const { folder, intervalMs, clock } = this.#parts
    const now = clock.now()
    // Problems of the folder are reported when a backup fails.
    const [newest] = await backupsIn(folder, now).catch((): KeptBackup[] => [])
    if (newest) this.#figures.last.set(newest.at / 1000)
    // A time in the future is not usable to schedule the next one.
    this.#after(newest && newest.at <= now ? Math.max(0, newest.at + intervalMs - now) : 0)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#cancel()
    await this.#running
    this.#parts.status.failure = undefined
  }

  #after(delayMs: number): void {
    if (this.#stopping.signal.aborted) return
    this.#cancel = this.#parts.clock.after(delayMs, () => {
      this.#running = this.#run()
    })
  }

  async #run(): Promise<void> {
    const { served, folder, intervalMs, keep, clock, logger, status } = this.#parts
    const { signal } = this.#stopping
    const startedAt = performance.now()
    try {
      const { file, bytes, revision, keys } = await backUpInto(folder, served, signal)
      const kept = await keepNewest(folder, keep, clock.now())
      const seconds = (performance.now() - startedAt) / 1000
      logger.info('the store was backed up', { file, bytes, revision, keys, seconds, kept })
      this.#figures.last.set(clock.now() / 1000)
      this.#figures.size.set(bytes)
      this.#figures.count.inc({ result: 'success' })
      status.failure = undefined
      this.#after(intervalMs)
    } catch (error) {
      if (signal.aborted) return
      logger.error('the store could not be backed up', { folder, error })
      this.#figures.count.inc({ result: 'failure' })
      status.failure = String(error)
      this.#after(Math.min(intervalMs, retryMs))
    }
  }

  get #figures() {
    const { metrics } = this.#parts
    return {
      last: metrics.gauge('storage_backup_last_success_timestamp_seconds', 'When the newest backup was finished.'),
      size: metrics.gauge('storage_backup_size_bytes', 'Size of the newest backup.'),
      count: metrics.counter('storage_backup_total', 'Backups that were tried.', ['result']),
    }
  }
}
