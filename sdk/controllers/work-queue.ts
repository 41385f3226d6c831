import type { Clock } from '../plugin/basic-services.js'
import type { LoopMetrics } from './loop-metrics.js'

/** The first repetition of a failed key comes quickly, for conflicts; the last ones rarely, for what stays broken. */
const firstRetryMs = 5
const maxRetryMs = 1_000_000

/**
 * A key whose own work wakes it would never rest: two loops, or two objects, that undo each other's changes. After so many
 * turns in a row it waits, longer each time; every second without it makes up for one turn.
 */
const freeTurns = 50
const firstRestMs = 5
const maxRestMs = 1000
/** So many keys may be remembered before those are dropped that have rested enough. */
const rememberedPaces = 10_000

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
  /** How often each key was taken, less what its rest made up for, and when last. */
  readonly #paces = new Map<string, { readonly turns: number; readonly at: number }>()
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
    const restMs = this.#restOf(key)
    if (restMs > 0) {
      this.#metrics.heldBack()
      this.addAfter(key, restMs)
      return
    }
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
    this.#countTurn(key)
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
    this.#paces.clear()
    this.#metrics.depth(0)
  }

  #countTurn(key: string): void {
    const now = this.#clock.now()
    if (this.#paces.size >= rememberedPaces)
      for (const [old, pace] of this.#paces) if (turnsAt(pace, now) === 0) this.#paces.delete(old)
    this.#paces.set(key, { turns: turnsAt(this.#paces.get(key), now) + 1, at: now })
  }
  /** How long the key has to wait before its next turn. */
  #restOf(key: string): number {
    const pace = this.#paces.get(key)
    if (pace === undefined || pace.turns <= freeTurns) return 0
    const restMs = Math.min(firstRestMs * 2 ** (pace.turns - freeTurns), maxRestMs)
    return pace.at + restMs - this.#clock.now()
  }
}

const turnsAt = (pace: { turns: number; at: number } | undefined, now: number): number =>
  pace === undefined ? 0 : Math.max(0, pace.turns - (now - pace.at) / 1000)
