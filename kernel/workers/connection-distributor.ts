import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { ListenPlace } from '../contracts/siblings.js'
import { affordableConnections } from '../http/connection-limits.js'

/** A receiver of connections. */
export interface Taker {
  give(number: number, socket: Socket): void
}

interface WorkerLoad {
  /** Connections that were sent to it and not confirmed yet. */
  readonly unconfirmed: Map<number, Socket>
  /** The number of open connections that it last reported. */
  open: number
}

/**
 * Accepts the connections of the server and distributes them to workers: each goes to the one with the fewest. (Processes that
 * accept themselves get very different numbers.) A connection stays open here until a worker confirms it, so that none hangs if a
 * worker dies; while there is no worker, connections are queued.
 */
export class ConnectionDistributor {
  readonly #server: Server
  readonly #places = new Map<Taker, WorkerLoad>()
  readonly #waiting = new Set<Socket>()
  #dealt = 0
  /** Maximum number of unconfirmed connections. */
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
        // An error of one connection, such as too many open files, must not end the server.
        this.#server.on('error', () => {})
        resolve((this.#server.address() as AddressInfo).port)
      })
    })
  }

  /** Adds a receiver. */
  add(taker: Taker): void {
    this.#places.set(taker, { unconfirmed: new Map(), open: 0 })
    for (const socket of this.#waiting) {
      this.#waiting.delete(socket)
      this.#deal(socket)
    }
  }

  /** A receiver confirms these connections and reports its total. */
  confirm(taker: Taker, open: number, numbers: readonly number[]): void {
    const place = this.#places.get(taker)
    if (!place) return
    place.open = open
    for (const number of numbers) {
      place.unconfirmed.get(number)?.destroy()
      place.unconfirmed.delete(number)
    }
  }

  /** Removes a receiver; its unconfirmed connections go to others. */
  remove(taker: Taker): void {
    const place = this.#places.get(taker)
    this.#places.delete(taker)
    for (const socket of place?.unconfirmed.values() ?? []) this.#deal(socket)
  }

  /** Stops accepting. Unconfirmed connections are closed. */
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

  /** The oldest connection has waited longest, or is already with a worker. */
  #dropOldest(): void {
    const [waiting] = this.#waiting
    if (waiting) {
      this.#waiting.delete(waiting)
      waiting.destroy()
      return
    }
    let first = Number.POSITIVE_INFINITY
    let holder: WorkerLoad | undefined
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
