import { setTimeout as sleep } from 'node:timers/promises'

/** How long a process runs before it yields. */
const sliceMs = 2
/** A process then sleeps this many times as long as it ran, so that it takes at most a quarter of the event loop. */
const restFactor = 3
/** Scripts start scripts, so the length of a script does not bound its work. */
const defaultMaxSteps = 100_000

/** Thrown inside a process that has exceeded its step limit. */
export class StepLimitExceeded extends Error {
  constructor(maxSteps: number) {
    super(`more than ${maxSteps} steps: simulated processes are for small scripts`)
  }
}

/** Throttles one simulated process. Its commands run in the server's thread, so every step may have to yield. */
export class Pace {
  readonly #signal: AbortSignal
  readonly #maxSteps: number
  #steps = 0
  #startedAt = performance.now()

  constructor(signal: AbortSignal, maxSteps = defaultMaxSteps) {
    this.#signal = signal
    this.#maxSteps = maxSteps
  }

  /** Called before every command, file and line. Throws when the process was ended or has exceeded its step limit. */
  async step(): Promise<void> {
    if (++this.#steps > this.#maxSteps) throw new StepLimitExceeded(this.#maxSteps)
    const workedMs = performance.now() - this.#startedAt
    if (workedMs < sliceMs) return
    // Time spent waiting for the client is counted, too, so the rest is bounded.
    await sleep(Math.min(workedMs, 2 * sliceMs) * restFactor)
    this.#signal.throwIfAborted()
    this.#startedAt = performance.now()
  }
}
