import type { StoreEvent } from 'orch/sdk'
import { SharedChunk } from '../http/exchange.js'
import type { EventEncoder } from './event-encoder.js'
import { selectEvent } from './watch-event.js'
import type { Watcher } from './watcher.js'

/** What watchers of one group have in common. */
export interface WatchGroupKey {
  /** Equal for watchers that see the same bytes. */
  readonly id: string
  readonly typeKey: string
  /** Empty for all namespaces. */
  readonly namespace: string
  /** The only key of interest, for the watch of one object. */
  readonly onlyKey: string | undefined
  readonly filter: ((attributes: Buffer) => boolean) | undefined
  readonly encoder: EventEncoder
}

/** Watchers that want the same events in the same form. */
export class WatchGroup {
  readonly #key: WatchGroupKey
  readonly #watchers = new Set<Watcher>()
  #pending: Buffer[] = []
  #lastRevision = 0

  constructor(key: WatchGroupKey) {
    this.#key = key
  }
  get isEmpty(): boolean {
    return this.#watchers.size === 0
  }
  add(watcher: Watcher): void {
    // What is pending happened before this watcher went live: it has seen it in its replay.
    this.flush()
    this.#watchers.add(watcher)
  }
  remove(watcher: Watcher): void {
    this.#watchers.delete(watcher)
  }
  endAll(): void {
    this.flush()
    for (const watcher of [...this.#watchers]) watcher.end('closed')
  }

  /** Takes an event if it concerns this group; true when there is something to flush. */
  offer(event: StoreEvent): boolean {
    const { onlyKey, filter, encoder } = this.#key
    if (onlyKey !== undefined && event.key !== onlyKey) return false
    const selected = selectEvent(event, filter)
    if (!selected) return false
    this.#pending.push(encoder.encode(event, selected))
    this.#lastRevision = event.revision
    return true
  }

  /** Writes what is pending to every watcher: one buffer, shared by all. */
  flush(): void {
    if (this.#pending.length === 0) return
    const bytes = this.#pending.length === 1 ? this.#pending[0]! : Buffer.concat(this.#pending)
    this.#pending = []
    const chunk = new SharedChunk(bytes)
    for (const watcher of this.#watchers) watcher.deliver(chunk, this.#lastRevision)
  }
}
