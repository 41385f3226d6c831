import type { Level } from './level.js'

/**
 * Requests are started in one turn of the event loop until it has taken this long. A turn delays all requests that
 * arrive meanwhile, and most requests finish in the turn they start in, so seats alone would limit nothing.
 */
const workPerTurnMs = 0.25
const lookEveryMs = 1000

/** Starts waiting requests, some in each turn of the event loop, level by level according to their shares. */
export class Turns {
  readonly #maxWaitMs: number
  readonly #onLook: () => void
  readonly #waiting = new Set<Level>()
  /** When the first request of this turn began. */
  #turnBegan: number | undefined
  #next: NodeJS.Immediate | undefined
  #look: NodeJS.Timeout | undefined
  #turn = 0

  /** `onLook` is called once a second as long as there is something to do. */
  constructor(maxWaitMs: number, onLook: () => void) {
    this.#maxWaitMs = maxWaitMs
    this.#onLook = onLook
  }

  /** May another request begin in this turn? It counts if it may. A level without queues cannot wait for the next one. */
  mayBegin(level: Level): boolean {
    if (this.#isTurnOver() && level.mayWait) return false
    this.#turnBegan ??= performance.now()
    this.#schedule()
    return true
  }

  isNeededBy(level: Level): void {
    // An idle level accumulates no credit.
    if (!this.#waiting.has(level)) level.turn = Math.max(level.turn, this.#turn)
    this.#waiting.add(level)
    this.#schedule()
  }

  placeIsFree(): void {
    if (this.#waiting.size > 0) this.#schedule()
  }

  close(): void {
    clearImmediate(this.#next)
    clearInterval(this.#look)
  }

  #schedule(): void {
    this.#next ??= setImmediate(this.#run)
    if (this.#look) return
    this.#look = setInterval(() => this.#lookAround(), lookEveryMs)
    this.#look.unref()
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
      // A request that begins works when promises are settled: what it took is known when they are, which is before a tick.
      queueMicrotask(() => process.nextTick(this.#beginWhileTurnLasts))
    } else if (this.#turnBegan !== undefined) this.#schedule()
  }

  /** Starts one request of the next level that has a free seat. */
  #beginNext(): boolean {
    const levels = [...this.#waiting].sort((one, other) => one.turn - other.turn)
    for (const level of levels) {
      const hasBegun = level.queues.next()
      if (level.queues.waiting === 0) this.#waiting.delete(level)
      if (!hasBegun) continue
      this.#turn = level.turn
      level.turn += 1 / level.shares
      return true
    }
    return false
  }

  #lookAround(): void {
    const before = performance.now() - this.#maxWaitMs
    for (const level of this.#waiting) {
      level.queues.giveUpOn(before)
      if (level.queues.waiting === 0) this.#waiting.delete(level)
    }
    this.#onLook()
    if (this.#waiting.size > 0 || this.#next) return
    clearInterval(this.#look)
    this.#look = undefined
  }
}
