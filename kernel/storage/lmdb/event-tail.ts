import { CompactedError, type Revision, type StoreEvent } from 'orch/sdk/host'
import type { Environment } from './environment.js'
import type { CommittedEvent } from './prepare-write.js'
import { readLog } from './read-log.js'

type Deliver = (events: readonly StoreEvent[]) => void

const anyPrefix = Buffer.alloc(0)

/** Hands every committed event to the subscribers once and in order, whichever process committed it. */
export class EventTail {
  readonly #environment: Environment
  readonly #warn: (message: string) => void
  readonly #subscribers = new Set<Deliver>()
  #delivered: Revision
  #isDelivering = false

  constructor(environment: Environment, warn: (message: string) => void) {
    this.#environment = environment
    this.#warn = warn
    this.#delivered = environment.readState().revision
  }

  /** The newest revision whose events have been handed out. */
  get delivered(): Revision {
    return this.#delivered
  }

  subscribe(deliver: Deliver): () => void {
    // A wrapper, so that one function may subscribe twice.
    const subscriber: Deliver = events => deliver(events)
    this.#subscribers.add(subscriber)
    return () => {
      this.#subscribers.delete(subscriber)
    }
  }

  /** Events of a commit of this process. Other processes may have committed before it; catchUp may have been faster. */
  committed(events: readonly CommittedEvent[]): void {
    const first = events[0]
    const last = events.at(-1)
    if (first === undefined || last === undefined || last.revision <= this.#delivered) return
    if (first.revision > this.#delivered + 1) this.#readUpTo(first.revision - 1)
    this.#deliver(
      first.revision > this.#delivered ? events : events.filter(({ revision }) => revision > this.#delivered),
    )
  }

  /** Hands out what the snapshot of this turn knows and this process has not delivered yet. */
  catchUp(): void {
    // A subscriber that reads must not be overtaken by later events; the delivery in progress continues with them.
    if (this.#isDelivering) return
    const { revision } = this.#environment.readState()
    if (revision > this.#delivered) this.#readUpTo(revision)
  }

  #readUpTo(revision: Revision): void {
    if (this.#subscribers.size === 0) {
      this.#delivered = revision
      return
    }
    try {
      while (this.#delivered < revision) {
        const { events, readTo } = readLog(this.#environment, anyPrefix, this.#delivered, revision)
        if (events.length > 0) this.#deliver(events)
        this.#delivered = readTo
      }
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error
      // Only happens to a process that was paused for the whole history time.
      this.#warn(`events ${this.#delivered + 1} to ${revision} were compacted before this process saw them`)
      this.#delivered = revision
    }
  }

  #deliver(events: readonly CommittedEvent[]): void {
    const last = events.at(-1)
    if (last === undefined) return
    this.#delivered = last.revision
    this.#isDelivering = true
    // A copy: new subscribers only receive later events.
    for (const subscriber of [...this.#subscribers]) {
      if (!this.#subscribers.has(subscriber)) continue
      try {
        subscriber(events)
      } catch (error) {
        this.#warn(`a subscriber of the store failed: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    this.#isDelivering = false
  }
}
