import type { Clock } from '../plugin/basic-services.js'
import type { LoopMetrics } from './loop-metrics.js'

/** The first retry comes quickly, for conflicts; later ones rarely, for lasting failures. */
const firstRetryMs = 5
const maxRetryMs = 1_000_000

/**
 * A key that triggers itself by its own writes would run without pause, as when two loops undo each other's changes. After this
 * many runs in a row it is delayed, longer each time; every second without it cancels one run.
 */
const undelayedRuns = 50
const firstDelayMs = 5
const maxDelayMs = 1000
/** Above this number, keys that need no delay are dropped. */
const rememberedPaces = 10_000

/**
 * Keys to process. A key is queued once however often it is added, is never processed concurrently with itself, and is
 * queued again if it was added meanwhile.
 */
export class WorkQueue {
  readonly #clock: Clock
  readonly #metrics: LoopMetrics
  readonly #onWork: () => void
  /** Key → when it was added. In order of arrival. */
  readonly #waiting = new Map<string, number>()
  readonly #inProgress = new Set<string>()
  readonly #addedMeanwhile = new Set<string>()
  readonly #failures = new Map<string, number>()
  /** How often each key was taken, less one for each second since, and when last. */
  readonly #paces = new Map<string, { readonly turns: number; readonly at: number }>()
  readonly #delayed = new Map<string, { readonly at: number; readonly cancel: () => void }>()
  #isClosed = false

  /** `onWork` is called whenever a key may be available. */
  constructor(clock: Clock, metrics: LoopMetrics, onWork: () => void) {
    this.#clock = clock
    this.#metrics = metrics
    this.#onWork = onWork
  }
  get depth(): number {
    return this.#waiting.size
  }
  add(key: string): void {
    if (this.#isClosed) return
    if (this.#inProgress.has(key)) {
      this.#addedMeanwhile.add(key)
      return
    }
    if (this.#waiting.has(key)) return
    const waitMs = this.#delayOf(key)
    if (waitMs > 0) {
      this.#metrics.heldBack()
      this.addAfter(key, waitMs)
      return
    }
    this.#waiting.set(key, this.#clock.now())
    this.#metrics.added()
    this.#metrics.depth(this.depth)
    this.#onWork()
  }
  /** Adds the key after a delay; the earliest of several delays counts. */
  addAfter(key: string, delayMs: number): void {
    if (this.#isClosed) return
    if (delayMs <= 0) {
      this.add(key)
      return
    }
    const at = this.#clock.now() + delayMs
    const known = this.#delayed.get(key)
    if (known && known.at <= at) return
    known?.cancel()
    const cancel = this.#clock.after(delayMs, () => {
      this.#delayed.delete(key)
      this.add(key)
    })
    this.#delayed.set(key, { at, cancel })
  }
  /** Adds a failed key with backoff. Returns the delay. */
  retry(key: string): number {
    const failures = this.#failures.get(key) ?? 0
    this.#failures.set(key, failures + 1)
    const delayMs = Math.min(firstRetryMs * 2 ** failures, maxRetryMs)
    this.#metrics.retried()
    this.addAfter(key, delayMs)
    return delayMs
  }
  /** The key succeeded: its backoff is reset. */
  forget(key: string): void {
    this.#failures.delete(key)
  }
  /** The next key to process, until `done`. */
  take(): string | undefined {
    const next = this.#waiting.entries().next()
    if (this.#isClosed || next.done) return undefined
    const [key, addedAt] = next.value
    this.#waiting.delete(key)
    this.#inProgress.add(key)
    this.#countTurn(key)
    this.#metrics.depth(this.depth)
    this.#metrics.waited((this.#clock.now() - addedAt) / 1000)
    return key
  }
  done(key: string): void {
    this.#inProgress.delete(key)
    if (this.#addedMeanwhile.delete(key)) this.add(key)
  }
  /** Drops all queued keys and accepts no more. */
  close(): void {
    this.#isClosed = true
    for (const { cancel } of this.#delayed.values()) cancel()
    this.#delayed.clear()
    this.#waiting.clear()
    this.#addedMeanwhile.clear()
    this.#failures.clear()
    this.#paces.clear()
    this.#metrics.depth(0)
  }

  #countTurn(key: string): void {
    const now = this.#clock.now()
    if (this.#paces.size >= rememberedPaces)
      for (const [old, pace] of this.#paces) if (turnsAt(pace, now) === 0) this.#paces.delete(old)
    this.#paces.set(key, { turns: turnsAt(this.#paces.get(key), now) + 1, at: now })
  }
  /** The delay before the next run of a key. */
  #delayOf(key: string): number {
    const pace = this.#paces.get(key)
    if (pace === undefined || pace.turns <= undelayedRuns) return 0
    const waitMs = Math.min(firstDelayMs * 2 ** (pace.turns - undelayedRuns), maxDelayMs)
    return pace.at + waitMs - this.#clock.now()
  }
}

const turnsAt = (pace: { turns: number; at: number } | undefined, now: number): number =>
  pace === undefined ? 0 : Math.max(0, pace.turns - (now - pace.at) / 1000)
