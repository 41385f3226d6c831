import type { Revision } from 'orch/sdk/host'

/**
 * Reads the newest revision of etcd on behalf of many reads. Those that start while a request is in flight share the next one,
 * since the response to the current one may predate them.
 */
export class ReadIndex {
  readonly #ask: () => Promise<Revision>
  #asking: Promise<unknown> = Promise.resolve()
  #next: Promise<Revision> | undefined

  constructor(ask: () => Promise<Revision>) {
    this.#ask = ask
  }

  /** A revision that includes everything committed before this call. */
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
