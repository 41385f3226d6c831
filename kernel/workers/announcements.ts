import type { StorePeers } from 'orch/sdk/host'

/** Commits within this time are announced together. The first is announced at once. */
const gatherMs = 1

/** Announces commits to other processes, and theirs to the store of this process. */
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
