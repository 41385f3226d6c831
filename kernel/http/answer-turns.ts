/**
 * Lets one long answer proceed in each turn of the event loop. Whoever asks for something short then waits for one piece of one
 * answer, however many long ones are being sent: a user who lists megabytes over many connections delays their own lists.
 */
export class AnswerTurns {
  readonly #waiting: (() => void)[] = []

  /** Calls back in a turn of its own, after those who asked earlier. */
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
