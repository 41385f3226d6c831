import type { Socket } from 'node:net'

/** As Node's own mark was for long: a piece of an answer is more, so a socket has one piece at a time. */
const fullBytes = 16 * 1024

/** When a socket has enough to send, and when it may be given more. Node's own `drain` never comes, see `preventParserPause`. */
export class SocketPace {
  readonly #socket: Socket
  #isFull = false
  #waiting: (() => void)[] = []

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** After a write: true until everything is sent, if that was enough. One that is gone takes nothing. */
  get isFull(): boolean {
    if (this.#socket.destroyed) return true
    if (this.#socket.writableLength >= fullBytes) this.#isFull = true
    else if (this.#socket.writableLength === 0) this.#isFull = false
    return this.#isFull
  }

  /** Calls the listener once the socket is no longer full. To be called only while it is. */
  onceDrained(listener: () => void): void {
    this.#waiting.push(listener)
  }

  /** The callback of everything that is written to the socket. Whoever waits hears from elsewhere that the connection is gone. */
  readonly sent = (): void => {
    if (this.#waiting.length === 0 || this.isFull) return
    const waiting = this.#waiting
    this.#waiting = []
    for (const listener of waiting) listener()
  }
}
