import { setImmediate } from 'node:timers/promises'

/** Work in steps, between which others may have a turn. */
export type Steps<T> = Generator<void, T>

/** After so long others get a turn. */
const turnMs = 10

/** Lets others have a turn whenever enough time has passed. */
export class Turns {
  #startedAt = performance.now()

  /** Returns a promise only when it is somebody else's turn. */
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
