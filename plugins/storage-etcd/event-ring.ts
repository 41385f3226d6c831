import type { Revision } from 'orch/sdk/host'
import type { StoredEvent } from './stored-event.js'

interface Kept {
  readonly event: StoredEvent
  readonly time: number
}

/** The array is compacted when it has this many free entries at the front. */
const holesKept = 1000

/** The newest events in memory, so that watches resume without reading from etcd. */
export class EventRing {
  readonly #maxBytes: number
  readonly #maxAgeMs: number
  #kept: Kept[] = []
  #first = 0
  #bytes = 0
  #start: Revision

  constructor(start: Revision, maxBytes: number, maxAgeMs: number) {
    this.#start = start
    this.#maxBytes = maxBytes
    this.#maxAgeMs = maxAgeMs
  }

  /** The ring holds every pushed event after this revision. */
  get start(): Revision {
    return this.#start
  }

  push(events: readonly StoredEvent[], time: number): void {
    for (const event of events) {
      this.#kept.push({ event, time })
      this.#bytes += event.bytes
    }
    for (;;) {
      const oldest = this.#kept[this.#first]
      if (oldest === undefined) break
      if (this.#bytes <= this.#maxBytes && time - oldest.time <= this.#maxAgeMs) break
      this.#start = oldest.event.revision
      this.#bytes -= oldest.event.bytes
      this.#first++
    }
    if (this.#first < holesKept) return
    this.#kept = this.#kept.slice(this.#first)
    this.#first = 0
  }

  /** Drops all events: those up to `start` are unknown. */
  reset(start: Revision): void {
    this.#kept = []
    this.#first = 0
    this.#bytes = 0
    this.#start = start
  }

  /** Events with `from < revision <= to`. */
  between(from: Revision, to: Revision): StoredEvent[] {
    const found: StoredEvent[] = []
    for (let index = this.#indexAfter(from); index < this.#kept.length; index++) {
      const { event } = this.#kept[index]!
      if (event.revision > to) break
      found.push(event)
    }
    return found
  }

  #indexAfter(revision: Revision): number {
    let low = this.#first
    let high = this.#kept.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#kept[middle]!.event.revision > revision) high = middle
      else low = middle + 1
    }
    return low
  }
}
