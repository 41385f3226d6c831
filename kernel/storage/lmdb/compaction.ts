import { setTimeout as pause } from 'node:timers/promises'
import type { Revision } from 'orch/sdk/host'
import { entryKeyOf, entryTimeOf, pastKey, previousLengthOf } from '../revision.js'
import type { Environment } from './environment.js'
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
 * Forgets history, oldest first. The log is the index of what to forget: entry r holds the record that r replaced, and
 * names the one past key that points to it. It also holds the time of r, so age decides without another index.
 */
export class Compaction {
  readonly #options: CompactionOptions
  readonly #stopping = new AbortController()
  readonly #background: Promise<void>

  constructor(options: CompactionOptions) {
    this.#options = options
    this.#background = this.#runInBackground()
  }

  /** Forgets all up to and including `revision`, in steps. */
  async compactTo(revision: Revision): Promise<void> {
    await this.#compactWhile(oldest => oldest <= revision, { restMs: 0, ref: true })
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
        // An entry of the far future was written before the clock was set back: nobody knows its age.
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
    const oldest = environment.readState().compacted + 1
    const entry = environment.log.getBinaryFast(oldest)
    return entry !== undefined && isForgotten(oldest, entryTimeOf(entry))
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

function forgetOldest(environment: Environment, isForgotten: IsForgotten): void {
  const { log, past, scanLog, limits } = environment
  const state = environment.readState()
  const pastKeys: (Buffer | undefined)[] = []
  let isOver = false
  scanLog.visit = entry => {
    isOver = !isForgotten(state.compacted + 1 + pastKeys.length, entryTimeOf(entry))
    if (!isOver)
      pastKeys.push(
        previousLengthOf(entry) > 0 ? pastKey(entryKeyOf(entry), state.compacted + 1 + pastKeys.length) : undefined,
      )
  }
  const start = revisionKey(state.compacted + 1)
  const end = revisionKey(state.revision + 1)
  for (const _ of scanLog.database.getRange({ start, end, limit: limits.entriesPerCompaction })) if (isOver) break

  let compacted = state.compacted
  for (const key of pastKeys) {
    compacted++
    if (key !== undefined) past.removeSync(key)
    log.removeSync(compacted)
  }
  environment.writeState({ ...state, compacted })
}
