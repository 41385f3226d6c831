import { setImmediate } from 'node:timers/promises'

/** Sends to the process. */
export interface Outlet {
  /** Returns the length of the message. */
  notify(topic: string, content: object): number
  /** Waits until the process has read almost everything that was sent before. */
  room(signal: AbortSignal): Promise<void>
}

/** More than the process can hold. */
export class TooMuch extends Error {}

/** For how long messages are sent before others get their turn. */
const turnMs = 5

/** Sends many messages to a process: as fast as it reads them, and without holding up the server. */
export class PacedSending {
  readonly #outlet: Outlet
  readonly #signal: AbortSignal
  readonly #maxLength: number
  readonly #tooLong: string
  #length = 0
  #turnBegan = performance.now()

  /** Beyond `maxLength` characters it throws TooMuch with the text `tooLong`. */
  constructor(outlet: Outlet, signal: AbortSignal, maxLength: number, tooLong: string) {
    this.#outlet = outlet
    this.#signal = signal
    this.#maxLength = maxLength
    this.#tooLong = tooLong
  }

  /** Returns a promise if the next message has to wait. */
  send(topic: string, content: object): void | Promise<void> {
    this.#length += this.#outlet.notify(topic, content)
    if (this.#length > this.#maxLength) throw new TooMuch(this.#tooLong)
    if (performance.now() - this.#turnBegan > turnMs) return this.#rest()
  }
  async #rest(): Promise<void> {
    await this.#outlet.room(this.#signal)
    await setImmediate()
    this.#turnBegan = performance.now()
  }
}
