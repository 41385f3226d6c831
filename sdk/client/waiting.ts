import type { Clock } from '../plugin/basic-services.js'

/** The longest delay that Node understands. It calls back at once when asked for a longer one, or to wait for ever. */
const maxTimerMs = 2 ** 31 - 1

/** Real time: for programs of their own, and clients that were given no clock. Waiting keeps the process alive. */
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

/** Growing delays: doubled each time up to a limit, spread a little so that clients do not come back together. */
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
