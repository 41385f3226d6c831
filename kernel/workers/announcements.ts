import type { StorePeers } from 'orch/sdk/host'

/** Commits within this time are told of together. The first is told at once. */
const gatherMs = 1

/** Tells other processes of commits, and this one's store of theirs. */
export class Announcements implements StorePeers {
  readonly isPrimary: boolean
  readonly #send: () => void
  readonly #listeners: (() => void)[] = []
  #sentAt = Number.NEGATIVE_INFINITY
  #isScheduled = false

  constructor(isPrimary: boolean, send: () => void) {
    this.isPrimary = isPrimary
    this.#send = send
  }

  announce(): void {
    if (this.#isScheduled) return
    const now = performance.now()
    if (now - this.#sentAt >= gatherMs) {
      this.#sentAt = now
      this.#send()
      return
    }
    this.#isScheduled = true
    setTimeout(() => {
      this.#isScheduled = false
      this.#sentAt = performance.now()
      this.#send()
    }, gatherMs)
  }

  onNews(look: () => void): void {
    this.#listeners.push(look)
  }

  /** Another process has committed. */
  hear(): void {
    for (const look of this.#listeners) look()
  }
}
