import type { Revision } from 'orch/sdk/host'

/**
 * Asks etcd for its newest revision on behalf of many reads: those that come while a question is on its way share the next one,
 * for its answer may have been given before they began.
 */
export class ReadIndex {
  readonly #ask: () => Promise<Revision>
  #asking: Promise<unknown> = Promise.resolve()
  #next: Promise<Revision> | undefined

  constructor(ask: () => Promise<Revision>) {
    this.#ask = ask
  }

  /** A revision that is at least as new as everything that was committed before this call. */
  latest(): Promise<Revision> {
    this.#next ??= this.#asking.then(() => {
      this.#next = undefined
      const asked = this.#ask()
      this.#asking = asked.catch(() => {})
      return asked
    })
    return this.#next
  }
}
