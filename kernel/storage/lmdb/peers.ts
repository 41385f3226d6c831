import type { Environment } from './environment.js'

/** How soon events of other processes are seen once there are other processes. */
const pollMs = 5
/** How soon another process is noticed. Until then its events take this long. */
const lookMs = 200
const dropDeadEveryMs = 30_000

/**
 * Looks for commits of other processes. LMDB has no notification across processes, and a socket between them would need
 * an owner and a way to recover; reading one key costs two microseconds. So it is read every few milliseconds, but only
 * while LMDB's reader table names another process; a process that is alone wakes five times a second.
 */
export class Peers {
  readonly #environment: Environment
  readonly #look: () => void
  #timer: NodeJS.Timeout
  #areAttached = false
  #lookedAt = 0
  #droppedAt = performance.now()

  constructor(environment: Environment, look: () => void) {
    this.#environment = environment
    this.#look = look
    this.#timer = this.#wait()
  }

  /** Whether another process has the store open, as far as was seen. */
  get areAttached(): boolean {
    return this.#areAttached
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #wait(): NodeJS.Timeout {
    return setTimeout(() => this.#tick(), this.#areAttached ? pollMs : lookMs).unref()
  }

  #tick(): void {
    const now = performance.now()
    if (now - this.#lookedAt >= lookMs) {
      this.#lookedAt = now
      this.#areAttached = this.#environment.processes().size > 1
    }
    if (now - this.#droppedAt >= dropDeadEveryMs) {
      this.#droppedAt = now
      this.#environment.dropDeadReaders()
    }
    this.#look()
    this.#timer = this.#wait()
  }
}
