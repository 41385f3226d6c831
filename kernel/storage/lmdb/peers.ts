import type { Environment } from './environment.js'

/** How soon events of other processes are seen once there are other processes. */
const usualPollMs = 5
/** How soon another process is noticed. Until then its events take this long. */
const lookMs = 200
const dropDeadEveryMs = 30_000

/**
 * Looks for commits of other processes. LMDB has no notification across processes, and a socket between them would need
 * an owner and a way to recover; reading one key costs two microseconds. So it is read every few milliseconds, but only
 * while LMDB's reader table names another process; a process that is alone wakes five times a second. Processes of one
 * server notify each other (`StorePeers`) and poll less often: only in case the notifying process is busy.
 */
export class Peers {
  readonly #environment: Environment
  readonly #look: () => void
  readonly #pollMs: number
  #timer: NodeJS.Timeout
  #areAttached = false
  #lookedAt = 0
  #droppedAt = performance.now()

  constructor(environment: Environment, look: () => void, pollMs = usualPollMs) {
    this.#environment = environment
    this.#look = look
    this.#pollMs = pollMs
    this.#timer = this.#wait()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #wait(): NodeJS.Timeout {
    return setTimeout(() => this.#tick(), this.#areAttached ? this.#pollMs : lookMs).unref()
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
