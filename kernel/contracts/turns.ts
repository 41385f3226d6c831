import { setImmediate } from 'node:timers/promises'

/** Work in steps, between which it may yield. */
export type Steps<T> = Generator<void, T>

/** Yields to other requests after this time. */
const turnMs = 10

/** Yields whenever enough time has passed. */
export class Turns {
  #startedAt = performance.now()

  /** Returns a promise only if it must yield. */
  next(): Promise<void> | undefined {
    return performance.now() - this.#startedAt < turnMs ? undefined : this.#wait()
  }
  async #wait(): Promise<void> {
    await setImmediate()
    this.#startedAt = performance.now()
  }

  /** Does all steps. */
  async finish<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
      await this.next()
    }
  }
}
