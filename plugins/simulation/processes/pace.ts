import { setTimeout as sleep } from 'node:timers/promises'

/** How long a process works before others get their turn. */
const sliceMs = 2
/** How much longer than it worked a process then rests, so that one alone takes a quarter of the event loop at most. */
const restFactor = 3
/** Scripts start scripts, so their length says little about their work. */
const defaultMaxSteps = 100_000

/** Thrown inside a process that has done more than any script of a test does. */
export class TooMuchWork extends Error {
  constructor(maxSteps: number) {
    super(`more than ${maxSteps} steps: simulated processes are for small scripts`)
  }
}

/** The pace of one simulated process. Its commands run in the server's thread, so every step asks whether it may go on. */
export class Pace {
  readonly #signal: AbortSignal
  readonly #maxSteps: number
  #steps = 0
  #startedAt = performance.now()

  constructor(signal: AbortSignal, maxSteps = defaultMaxSteps) {
    this.#signal = signal
    this.#maxSteps = maxSteps
  }

  /** Before every command, file and line. Throws when the process has ended or has done enough. */
  async step(): Promise<void> {
    if (++this.#steps > this.#maxSteps) throw new TooMuchWork(this.#maxSteps)
    const workedMs = performance.now() - this.#startedAt
    if (workedMs < sliceMs) return
    // Time spent waiting for the client is counted, too, so the rest is bounded.
    await sleep(Math.min(workedMs, 2 * sliceMs) * restFactor)
    this.#signal.throwIfAborted()
    this.#startedAt = performance.now()
  }
}
