import type { Socket } from 'node:net'
import type { ConnectionSource } from '../contracts/siblings.js'
import type { Link } from './link.js'
import type { ConnectionReport } from './worker-pool.js'
import { connectionTopic } from './worker-process.js'

/** How often the number of open connections is reported to the primary, if it changed. */
const reportEveryMs = 500

/** Receives connections from the primary, in a worker. */
export class GivenConnections implements ConnectionSource {
  readonly #link: Link
  readonly #open = new Set<Socket>()
  #reported = 0
  #timer: NodeJS.Timeout | undefined

  constructor(link: Link) {
    this.#link = link
  }

  /** Passes every received connection to `accept`. */
  take(accept: (socket: Socket) => void): void {
    this.#timer = setInterval(() => this.#open.size !== this.#reported && this.#report([]), reportEveryMs).unref()
    this.#link.on(connectionTopic, (number, handle) => {
      // The client may have disconnected in the meantime.
      if (handle) this.#take(handle as Socket, accept)
      this.#report([number as number])
    })
  }

  /** Stops receiving. Unconfirmed connections go to another worker, so their copies here are closed. */
  stop(): void {
    clearInterval(this.#timer)
    this.#link.on(connectionTopic, (_, handle) => (handle as Socket | undefined)?.destroy())
    this.#link.tell('closing')
  }

  #take(socket: Socket, accept: (socket: Socket) => void): void {
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    accept(socket)
  }

  #report(confirmed: readonly number[]): void {
    this.#reported = this.#open.size
    this.#link.tell('connections', { open: this.#reported, confirmed } satisfies ConnectionReport)
  }
}
