import type { Socket } from 'node:net'

/** The former high-water mark of Node: a piece of a response is larger, so a socket buffers one piece at a time. */
const fullBytes = 16 * 1024

/** Backpressure of a socket. Node's own `drain` event never comes, see `preventParserPause`. */
export class SocketPace {
  readonly #socket: Socket
  #isFull = false
  #waiting: (() => void)[] = []

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** After a write: true until everything is sent, once the mark was reached. A closed socket is full. */
  get isFull(): boolean {
    if (this.#socket.destroyed) return true
    if (this.#socket.writableLength >= fullBytes) this.#isFull = true
    else if (this.#socket.writableLength === 0) this.#isFull = false
    return this.#isFull
  }

  /** Calls the listener once the socket is no longer full. Call it only while the socket is full. */
  onceDrained(listener: () => void): void {
    this.#waiting.push(listener)
  }

  /** The callback of every write to the socket. The loss of the connection is reported elsewhere. */
  readonly sent = (): void => {
    if (this.#waiting.length === 0 || this.isFull) return
    const waiting = this.#waiting
    this.#waiting = []
    for (const listener of waiting) listener()
  }
}
