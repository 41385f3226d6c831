import type { Socket } from 'node:net'
import type { ConnectionSource } from '../contracts/siblings.js'
import type { Link } from './link.js'
import type { ConnectionReport } from './worker-pool.js'
import { connectionTopic } from './worker-process.js'

/** How often the primary is told how many connections are open, if that changed. */
const reportEveryMs = 500

/** In a worker: takes the connections that the primary deals out. */
export class GivenConnections implements ConnectionSource {
  readonly #link: Link
  readonly #open = new Set<Socket>()
  #reported = 0
  #timer: NodeJS.Timeout | undefined

  constructor(link: Link) {
    this.#link = link
  }

  /** Hands every connection that comes to `accept`. */
  take(accept: (socket: Socket) => void): void {
    this.#timer = setInterval(() => this.#open.size !== this.#reported && this.#report([]), reportEveryMs).unref()
    this.#link.on(connectionTopic, (number, handle) => {
      // The client may have gone while the connection was on its way.
      if (handle) this.#take(handle as Socket, accept)
      this.#report([number as number])
    })
  }

  /** Takes no more. What is not confirmed by now goes to another worker, so its copy here is let go. */
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
