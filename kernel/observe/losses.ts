import type { Logger } from 'orch/sdk'

/** Counts lost events and logs twice: when losses begin, and when they or the server end. */
export class Losses {
  readonly #what: string
  readonly #logger: Logger
  readonly #count: (lost: number) => void
  #lost = 0
  #isReported = false

  /** `what` is the destination, such as `the audit log`; `count` is called for every loss, for a metric. */
  constructor(what: string, logger: Logger, count: (lost: number) => void = () => {}) {
    this.#what = what
    this.#logger = logger
    this.#count = count
  }

  /** With a count of 0 nothing is lost yet, but the problem is reported. */
  add(lost: number, why: string): void {
    this.#lost += lost
    if (lost > 0) this.#count(lost)
    if (this.#isReported) return
    this.#isReported = true
    this.#logger.error(`${this.#what} does not accept events`, { why })
  }

  /** An event was delivered. */
  over(): void {
    if (!this.#isReported) return
    this.#logger.warn(`${this.#what} accepts events again`, { lost: this.#lost })
    this.#lost = 0
    this.#isReported = false
  }

  /** The server stops: nothing will be delivered any more. */
  end(): void {
    if (this.#lost > 0) this.#logger.warn(`${this.#what} has lost events`, { lost: this.#lost })
    this.#lost = 0
  }
}
