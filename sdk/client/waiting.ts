import type { Clock } from '../plugin/basic-services.js'

/** The longest delay of Node's timers: a longer or infinite one would fire at once. */
const maxTimerMs = 2 ** 31 - 1

/** Real time, for standalone programs and clients without a clock. Its timers keep the process alive. */
export const waitingClock: Clock = {
  now: () => Date.now(),
  after(delayMs, call) {
    const timer = setTimeout(call, Math.min(delayMs, maxTimerMs))
    return () => clearTimeout(timer)
  },
}

/** Waits; ends early, without an error, when the signal aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal?.aborted) return resolve()
    const finish = () => {
      cancel()
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const cancel = clock.after(delayMs, finish)
    signal?.addEventListener('abort', finish, { once: true })
  })
}

/** Rejects with the signal's reason as soon as it aborts, whatever the work does with the signal itself. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Exponential backoff up to a limit, with jitter so that clients do not retry at the same time. */
export class Backoff {
  readonly #firstMs: number
  readonly #maxMs: number
  #failures = 0
  constructor(firstMs: number, maxMs: number) {
    this.#firstMs = firstMs
    this.#maxMs = maxMs
  }
  next(): number {
    const delay = Math.min(this.#firstMs * 2 ** this.#failures, this.#maxMs)
    this.#failures++
    return delay * (1 + Math.random() / 5)
  }
  reset(): void {
    this.#failures = 0
  }
}
