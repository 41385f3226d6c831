import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { ListenPlace } from '../contracts/siblings.js'
import { affordableConnections } from '../http/connection-limits.js'

/** Someone who takes connections. */
export interface Taker {
  give(number: number, socket: Socket): void
}

interface Place {
  /** Connections it was given and has not confirmed. */
  readonly unconfirmed: Map<number, Socket>
  /** How many it had open when it last said so. */
  open: number
}

/**
 * Accepts the connections of the server and deals them out to workers: each goes to the one that has the fewest. (Processes that
 * accept by themselves take very different numbers.) A connection is kept here until a worker confirms that it has it, so that
 * none hangs when a worker dies; while there is no worker, connections wait.
 */
export class ConnectionDistributor {
  readonly #server: Server
  readonly #places = new Map<Taker, Place>()
  readonly #waiting = new Set<Socket>()
  #dealt = 0
  /** Connections that may be open here, that is, be on their way. */
  #limit = Number.POSITIVE_INFINITY

  constructor() {
    this.#server = createServer({ pauseOnConnect: true }, socket => {
      socket.on('error', () => {})
      while (this.#held() >= this.#limit) this.#dropOldest()
      this.#deal(socket)
    })
  }

  listen(place: ListenPlace): Promise<number> {
    this.#limit = affordableConnections()
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ ...place, backlog: 4096 }, () => {
        this.#server.off('error', reject)
        // What goes wrong with one connection, such as too many open files, must not end the server.
        this.#server.on('error', () => {})
        resolve((this.#server.address() as AddressInfo).port)
      })
    })
  }

  /** From now on this one gets connections. */
  add(taker: Taker): void {
    this.#places.set(taker, { unconfirmed: new Map(), open: 0 })
    for (const socket of this.#waiting) {
      this.#waiting.delete(socket)
      this.#deal(socket)
    }
  }

  /** A taker has these connections, and so many in all. */
  confirm(taker: Taker, open: number, numbers: readonly number[]): void {
    const place = this.#places.get(taker)
    if (!place) return
    place.open = open
    for (const number of numbers) {
      place.unconfirmed.get(number)?.destroy()
      place.unconfirmed.delete(number)
    }
  }

  /** A taker is gone: others get what it had not confirmed. */
  remove(taker: Taker): void {
    const place = this.#places.get(taker)
    this.#places.delete(taker)
    for (const socket of place?.unconfirmed.values() ?? []) this.#deal(socket)
  }

  /** Accepts nothing more. Connections that nobody has taken are closed. */
  close(): void {
    this.#server.close()
    for (const socket of this.#waiting) socket.destroy()
    this.#waiting.clear()
  }

  #held(): number {
    let held = this.#waiting.size
    for (const { unconfirmed } of this.#places.values()) held += unconfirmed.size
    return held
  }

  /** Whoever came first has waited longest, or is with a worker already. */
  #dropOldest(): void {
    const [waiting] = this.#waiting
    if (waiting) {
      this.#waiting.delete(waiting)
      waiting.destroy()
      return
    }
    let first = Number.POSITIVE_INFINITY
    let holder: Place | undefined
    for (const place of this.#places.values()) {
      const [number = Number.POSITIVE_INFINITY] = place.unconfirmed.keys()
      if (number >= first) continue
      first = number
      holder = place
    }
    holder?.unconfirmed.get(first)?.destroy()
    holder?.unconfirmed.delete(first)
  }

  #deal(socket: Socket): void {
    let [chosen, fewest] = [undefined as Taker | undefined, Number.POSITIVE_INFINITY]
    for (const [taker, { open, unconfirmed }] of this.#places) {
      if (open + unconfirmed.size >= fewest) continue
      chosen = taker
      fewest = open + unconfirmed.size
    }
    if (!chosen) {
      if (this.#server.listening) this.#waiting.add(socket)
      else socket.destroy()
      return
    }
    const number = ++this.#dealt
    this.#places.get(chosen)?.unconfirmed.set(number, socket)
    chosen.give(number, socket)
  }
}
