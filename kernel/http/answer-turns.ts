/**
 * Lets one long response proceed per turn of the event loop. A short request then waits for one piece of one response, however
 * many long ones are being sent: a user who lists megabytes over many connections delays only their own lists.
 */
export class AnswerTurns {
  readonly #waiting: (() => void)[] = []

  /** Calls back in a turn of its own, in the order of the calls. */
  await(proceed: () => void): void {
    this.#waiting.push(proceed)
    if (this.#waiting.length === 1) setImmediate(this.#run)
  }

  readonly #run = (): void => {
    const proceed = this.#waiting.shift()!
    if (this.#waiting.length > 0) setImmediate(this.#run)
    proceed()
  }
}
