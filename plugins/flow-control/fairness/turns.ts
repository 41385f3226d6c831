import type { Level } from './level.js'

/**
 * Requests are started in one turn of the event loop until it has taken this long. A turn delays all requests that
 * arrive meanwhile, and most requests finish in the turn they start in, so seats alone would limit nothing.
 */
const workPerTurnMs = 0.25
const checkEveryMs = 1000
/** A level may have no shares, and still gets a turn now and then: an infinite virtual time would spread to the others. */
const leastShares = 0.1

/** Starts waiting requests, some in each turn of the event loop, level by level according to their shares. */
export class Turns {
  readonly #maxWaitMs: number
  readonly #onCheck: () => void
  readonly #waiting = new Set<Level>()
  /** When the first request of this turn was started. */
  #turnBegan: number | undefined
  #next: NodeJS.Immediate | undefined
  #checkTimer: NodeJS.Timeout | undefined
  #virtualTime = 0

  /** `onCheck` is called once a second as long as there are requests. */
  constructor(maxWaitMs: number, onCheck: () => void) {
    this.#maxWaitMs = maxWaitMs
    this.#onCheck = onCheck
  }

  /** Whether another request may start in this turn. A level without queues cannot wait for the next one. */
  mayBegin(level: Level): boolean {
    if (this.#isTurnOver() && level.mayWait) return false
    this.#turnBegan ??= performance.now()
    this.#schedule()
    return true
  }

  addWaiting(level: Level): void {
    // An idle level accumulates no credit.
    if (!this.#waiting.has(level)) level.virtualTime = Math.max(level.virtualTime, this.#virtualTime)
    this.#waiting.add(level)
    this.#schedule()
  }

  seatFreed(): void {
    if (this.#waiting.size > 0) this.#schedule()
  }

  close(): void {
    clearImmediate(this.#next)
    clearInterval(this.#checkTimer)
  }

  #schedule(): void {
    this.#next ??= setImmediate(this.#run)
    if (this.#checkTimer) return
    this.#checkTimer = setInterval(() => this.#check(), checkEveryMs)
    this.#checkTimer.unref()
  }

  #isTurnOver(): boolean {
    return this.#turnBegan !== undefined && performance.now() - this.#turnBegan >= workPerTurnMs
  }

  readonly #run = () => {
    this.#next = undefined
    this.#turnBegan = undefined
    this.#beginWhileTurnLasts()
  }
  readonly #beginWhileTurnLasts = (): void => {
    if (this.#waiting.size > 0 && !this.#isTurnOver() && this.#beginNext()) {
      this.#turnBegan ??= performance.now()
      // A request runs in microtasks: how long it took is known once they are done, in the next tick.
      queueMicrotask(() => process.nextTick(this.#beginWhileTurnLasts))
    } else if (this.#turnBegan !== undefined) this.#schedule()
  }

  /** Starts one request of the next level that has a free seat. */
  #beginNext(): boolean {
    const levels = [...this.#waiting].sort((one, other) => one.virtualTime - other.virtualTime)
    for (const level of levels) {
      const hasBegun = level.queues.next()
      if (level.queues.waiting === 0) this.#waiting.delete(level)
      if (!hasBegun) continue
      this.#virtualTime = level.virtualTime
      level.virtualTime += 1 / Math.max(level.shares, leastShares)
      return true
    }
    return false
  }

  #check(): void {
    const before = performance.now() - this.#maxWaitMs
    for (const level of this.#waiting) {
      level.queues.rejectOlderThan(before)
      if (level.queues.waiting === 0) this.#waiting.delete(level)
    }
    this.#onCheck()
    if (this.#waiting.size > 0 || this.#next) return
    clearInterval(this.#checkTimer)
    this.#checkTimer = undefined
  }
}
