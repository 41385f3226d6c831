/** A disk that takes longer than this, on average, does its work beside this thread. */
const shortMs = 1
const weight = 0.2
const tryAgainMs = 1000

/**
 * Decides where the next commit waits for the disk. On a fast disk waiting here costs less than half of handing the
 * transaction to lmdb's thread and back; on a slow one it would hold up every reader, so there one commit a second tries.
 */
export class CommitPace {
  #usualMs = 0
  #triedAt = 0

  shouldWaitHere(now: number): boolean {
    if (this.#usualMs > shortMs && now - this.#triedAt < tryAgainMs) return false
    this.#triedAt = now
    return true
  }

  /** How long the disk took for a commit that waited here. */
  waited(ms: number): void {
    this.#usualMs = this.#usualMs > shortMs ? ms : this.#usualMs + (ms - this.#usualMs) * weight
  }
}
