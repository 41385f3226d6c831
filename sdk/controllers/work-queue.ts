import type { Clock } from '../services.js'
import type { LoopMetrics } from './loop-metrics.js'

/** The first repetition of a failed key comes quickly, for conflicts; the last ones rarely, for what stays broken. */
const firstRetryMs = 5
const maxRetryMs = 1_000_000

/**
 * Keys to work on. A key waits once however often it is added, is never worked on twice at the same time, and comes
 * again if it was added meanwhile.
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
  readonly #delayed = new Map<string, { readonly at: number; readonly cancel: () => void }>()
  #isClosed = false

  /** `onWork` is called whenever there may be something to take. */
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
    this.#waiting.set(key, this.#clock.now())
    this.#metrics.added()
    this.#metrics.depth(this.depth)
    this.#onWork()
  }
  /** Adds the key later; of several times the earliest counts. */
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
  /** Adds a key that failed, later each time. Returns the delay. */
  retry(key: string): number {
    const failures = this.#failures.get(key) ?? 0
    this.#failures.set(key, failures + 1)
    const delayMs = Math.min(firstRetryMs * 2 ** failures, maxRetryMs)
    this.#metrics.retried()
    this.addAfter(key, delayMs)
    return delayMs
  }
  /** The key succeeded: its next failure is again its first. */
  forget(key: string): void {
    this.#failures.delete(key)
  }
  /** The next key to work on, until `done`. */
  take(): string | undefined {
    const next = this.#waiting.entries().next()
    if (this.#isClosed || next.done) return undefined
    const [key, addedAt] = next.value
    this.#waiting.delete(key)
    this.#inProgress.add(key)
    this.#metrics.depth(this.depth)
    this.#metrics.waited((this.#clock.now() - addedAt) / 1000)
    return key
  }
  done(key: string): void {
    this.#inProgress.delete(key)
    if (this.#addedMeanwhile.delete(key)) this.add(key)
  }
  /** Drops what waits and takes nothing more. */
  close(): void {
    this.#isClosed = true
    for (const { cancel } of this.#delayed.values()) cancel()
    this.#delayed.clear()
    this.#waiting.clear()
    this.#addedMeanwhile.clear()
    this.#failures.clear()
    this.#metrics.depth(0)
  }
}
