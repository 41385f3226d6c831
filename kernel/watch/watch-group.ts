import type { AttributeFilter, StoreEvent } from 'orch/sdk/host'
import { SharedChunk } from '../contracts/exchange.js'
import type { EventEncoder, OutsideConversion, ToEncode } from './event-encoder.js'
import { selectEvent } from './watch-event.js'
import type { Watcher } from './watcher.js'

/** How many events are converted in one call. */
const conversionBatchSize = 100
/** How many may wait for conversion; beyond that the webhook is too slow, and the watches end. */
const maxWaiting = 10_000

/** What watchers of one group have in common. */
export interface WatchGroupKey {
  /** Equal for watchers that see the same bytes. */
  readonly id: string
  readonly typeKey: string
  /** Empty for all namespaces. */
  readonly namespace: string
  /** The only key of interest, for the watch of one object. */
  readonly onlyKey: string | undefined
  readonly filter: AttributeFilter | undefined
  readonly encoder: EventEncoder
}

/** Watchers that want the same events in the same form. */
export class WatchGroup {
  readonly #key: WatchGroupKey
  readonly #watchers = new Set<Watcher>()
  #pending: Buffer[] = []
  #lastRevision = 0
  /** Events that wait for conversion, with the watchers at their time. */
  readonly #waiting: (ToEncode & { readonly watchers: readonly Watcher[] })[] = []
  #isConverting = false

  constructor(key: WatchGroupKey) {
    this.#key = key
  }
  get isEmpty(): boolean {
    return this.#watchers.size === 0
  }
  add(watcher: Watcher): void {
    // Pending events are from before this watcher went live: its replay included them.
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
    if (encoder.outside) {
      if (this.#waiting.length >= maxWaiting) {
        this.#waiting.length = 0
        this.endAll()
        return false
      }
      this.#waiting.push({ event, selected, watchers: [...this.#watchers] })
      if (!this.#isConverting) void this.#convertWaiting(encoder.outside)
      this.#isConverting = true
      return false
    }
    this.#pending.push(encoder.encode(event, selected))
    this.#lastRevision = event.revision
    return true
  }

  /** Waiting events are converted together, in order. One that cannot be converted ends the watches. */
  async #convertWaiting(outside: OutsideConversion): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
        .splice(0, conversionBatchSize)
        .filter(({ watchers }) => watchers.some(watcher => !watcher.isEnded))
      if (batch.length === 0) continue
      try {
        const frames = await outside.encode(batch)
        for (const [index, { event, watchers }] of batch.entries()) {
          const chunk = new SharedChunk(frames[index]!)
          for (const watcher of watchers) watcher.deliver(chunk, event.revision)
        }
      } catch {
        for (const { watchers } of batch) for (const watcher of watchers) watcher.end('closed')
      }
    }
    this.#isConverting = false
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
