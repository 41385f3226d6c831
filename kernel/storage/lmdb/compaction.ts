import { setTimeout as pause } from 'node:timers/promises'
import type { Revision } from 'orch/sdk/host'
import { entryKeyOf, entryTimeOf, pastKey, previousLengthOf, readRevision } from '../revision.js'
import type { Environment, ScannedKey } from './environment.js'
import { revisionKey } from './read-log.js'

/** After a step, compaction rests for three times what it took: it never takes more than a quarter of the process. */
const restFactor = 3
const minRestMs = 5
const maxLookEveryMs = 1000

export interface CompactionOptions {
  readonly environment: Environment
  readonly historyMs: number
  readonly now: () => number
  readonly warn: (message: string) => void
}

type IsForgotten = (revision: Revision, time: number) => boolean
interface Pace {
  readonly restMs: number
  /** Whether the process must stay alive for it. */
  readonly ref: boolean
}

/**
 * Discards history, oldest first. The log is the index of what to discard: entry r holds the record that r replaced,
 * and names the one past key that points to it. It also holds the time of r, so age decides without another index.
 */
export class Compaction {
  readonly #options: CompactionOptions
  readonly #stopping = new AbortController()
  readonly #background: Promise<void>

  constructor(options: CompactionOptions) {
    this.#options = options
    this.#background = this.#runInBackground()
  }

  /** Discards everything up to and including `revision`, in steps. */
  async compactTo(revision: Revision): Promise<void> {
    await this.#compactWhile(oldest => oldest <= revision, { restMs: 0, ref: true })
    const { environment } = this.#options
    // In the log of a replica not every revision has an entry.
    if (environment.readState().compacted >= revision || this.#stopping.signal.aborted) return
    await environment.transaction(() => {
      const state = environment.readState()
      environment.writeState({ ...state, compacted: Math.max(state.compacted, revision) })
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#background
  }

  async #runInBackground(): Promise<void> {
    const { historyMs, now, warn } = this.#options
    const lookEveryMs = Math.min(maxLookEveryMs, Math.max(minRestMs, historyMs / 10))
    while (await this.#rested(lookEveryMs, false)) {
      try {
        // An entry with a time in the far future was written before the clock was set back: its age is unknown.
        const isOld = (_: Revision, time: number) => Math.abs(now() - time) > historyMs
        await this.#compactWhile(isOld, { restMs: minRestMs, ref: false })
      } catch (error) {
        if (!this.#stopping.signal.aborted) warn(`compaction failed and will be tried again: ${String(error)}`)
      }
    }
  }

  async #compactWhile(isForgotten: IsForgotten, { restMs, ref }: Pace): Promise<void> {
    const { environment } = this.#options
    while (!this.#stopping.signal.aborted && this.#oldestIs(isForgotten)) {
      let stepMs = 0
      await environment.transaction(() => {
        const start = performance.now()
        forgetOldest(environment, isForgotten)
        stepMs = performance.now() - start
      })
      if (!(await this.#rested(Math.max(restMs, stepMs * restFactor), ref))) return
    }
  }

  #oldestIs(isForgotten: IsForgotten): boolean {
    const { environment } = this.#options
    environment.refresh()
    const { scanLog } = environment
    let isOld = false
    scanLog.visit = entry => {
      isOld = isForgotten(scannedRevision(scanLog.key), entryTimeOf(entry))
    }
    for (const _ of scanLog.database.getRange({ start: logStart(environment), limit: 1 }));
    return isOld
  }

  async #rested(ms: number, ref: boolean): Promise<boolean> {
    try {
      await pause(ms, undefined, { ref, signal: this.#stopping.signal })
      return true
    } catch {
      return false
    }
  }
}

const scannedRevision = ({ bytes, start }: ScannedKey): Revision => readRevision(bytes, start)
const logStart = (environment: Environment): Buffer => revisionKey(environment.readState().compacted + 1)

function forgetOldest(environment: Environment, isForgotten: IsForgotten): void {
  const { log, past, scanLog, limits } = environment
  const state = environment.readState()
  const forgotten: { revision: Revision; past: Buffer | undefined }[] = []
  let isOver = false
  scanLog.visit = entry => {
    const revision = scannedRevision(scanLog.key)
    isOver = !isForgotten(revision, entryTimeOf(entry))
    if (isOver) return
    const isChange = previousLengthOf(entry) > 0
    forgotten.push({ revision, past: isChange ? pastKey(entryKeyOf(entry), revision) : undefined })
  }
  const start = logStart(environment)
  const end = revisionKey(state.revision + 1)
  for (const _ of scanLog.database.getRange({ start, end, limit: limits.entriesPerCompaction })) if (isOver) break

  for (const { revision, past: key } of forgotten) {
    if (key !== undefined) past.removeSync(key)
    log.removeSync(revision)
  }
  environment.writeState({ ...state, compacted: forgotten.at(-1)?.revision ?? state.compacted })
}
