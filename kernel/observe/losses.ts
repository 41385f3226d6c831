import type { Logger } from 'orch/sdk'

/** Counts what is lost on its way to somewhere, and tells twice about it: when that begins, and when it is over. */
export class Losses {
  readonly #what: string
  readonly #logger: Logger
  readonly #count: (lost: number) => void
  #lost = 0
  #isTold = false

  /** `what` is where things go, such as `the audit log`; `count` hears of every loss, for a metric. */
  constructor(what: string, logger: Logger, count: (lost: number) => void = () => {}) {
    this.#what = what
    this.#logger = logger
    this.#count = count
  }

  /** Nothing is lost yet when there is only trouble, which is told as well. */
  add(lost: number, why: string): void {
    this.#lost += lost
    if (lost > 0) this.#count(lost)
    if (this.#isTold) return
    this.#isTold = true
    this.#logger.error(`${this.#what} does not take events`, { why })
  }

  /** Something arrived. */
  over(): void {
    if (!this.#isTold) return
    this.#logger.warn(`${this.#what} takes events again`, { lost: this.#lost })
    this.#lost = 0
    this.#isTold = false
  }
}
