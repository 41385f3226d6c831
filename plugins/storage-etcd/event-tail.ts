import { setTimeout as sleep } from 'node:timers/promises'
import { type Revision, ShortLivedEntries, StorageError, type StoreEvent } from 'orch/sdk/host'
import type { Connection } from './connection.js'
import type { EventRing } from './event-ring.js'
import type { KeyLayout } from './key-layout.js'
import { toNumber } from './protocol.js'
import type { WriteId } from './record.js'
import { type StoredEvent, storedEvents } from './stored-event.js'
import { type WatchBatch, WatchCompacted, watchBatches } from './watch-batches.js'

type Deliver = (events: readonly StoreEvent[]) => void
interface Waiter {
  /** Whether the wait is over. */
  isOver(events: readonly StoredEvent[]): boolean
  settle(failure?: unknown): void
}

export interface EventTailOptions {
  readonly connection: Connection
  readonly layout: KeyLayout
  readonly ring: EventRing
  /** Subscribers receive events after this revision. Events between the ring's start and this revision only fill the ring. */
  readonly delivered: Revision
  readonly now: () => number
  /** Called with all events before they are delivered to subscribers. */
  readonly taken?: (events: readonly StoredEvent[], revision: Revision) => void
  readonly warn: (message: string) => void
  /** Called when another process has compacted history. */
  readonly compacted: (revision: Revision) => void
}

const pauseMs = 100
const longestPauseMs = 2000
/** Maximum number of watch responses that are processed together. */
const gatheredMost = 200

/** The single watch of this process. Delivers every event to subscribers exactly once and in order, across reconnections. */
export class EventTail {
  readonly #options: EventTailOptions
  readonly #subscribers = new Set<Deliver>()
  readonly #waiters = new ShortLivedEntries<Waiter>()
  readonly #abort = new AbortController()
  readonly #running: Promise<void>
  #received: Revision
  #delivered: Revision
  #lastEvent: Revision | undefined
  #gathered: WatchBatch[] = []
  #failure: StorageError | undefined

  constructor(options: EventTailOptions) {
    this.#options = options
    this.#received = options.ring.start
    this.#delivered = options.delivered
    this.#running = this.#run()
  }

  /** The newest revision whose events have been delivered. */
  get delivered(): Revision {
    return this.#delivered
  }
  /** Everything up to this revision has been received. */
  get received(): Revision {
    return this.#received
  }
  /** The revision of the newest event that the watch has delivered; undefined if there was none. */
  get lastEvent(): Revision | undefined {
    return this.#lastEvent
  }
  /** Set if events were lost, so that everything derived from them is invalid. */
  get failure(): StorageError | undefined {
    return this.#failure
  }

  subscribe(deliver: Deliver): () => void {
    const subscriber: Deliver = events => deliver(events)
    this.#subscribers.add(subscriber)
    return () => {
      this.#subscribers.delete(subscriber)
    }
  }

  /** Resolves to true when everything up to this revision has been received, to false after the timeout. */
  reached(revision: Revision, timeoutMs: number): Promise<boolean> {
    if (this.#received >= revision) return Promise.resolve(true)
    return this.#wait(() => this.#received >= revision, timeoutMs)
  }
  /** The event of a write, if it arrives before the timeout. */
  async eventOf(id: WriteId, since: Revision, timeoutMs: number): Promise<StoredEvent | undefined> {
    let found = this.#options.ring.between(since, Number.MAX_SAFE_INTEGER).find(({ writeId }) => writeId === id)
    if (found !== undefined) return found
    await this.#wait(events => {
      found = events.find(({ writeId }) => writeId === id)
      return found !== undefined
    }, timeoutMs)
    return found
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    await this.#running
    this.#release(waiter => waiter.settle(new StorageError('unavailable', 'the store is closed')))
  }

  #wait(isOver: Waiter['isOver'], timeoutMs: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure)
      const timer = setTimeout(() => {
        this.#waiters.delete(number)
        resolve(false)
      }, timeoutMs)
      const waiter: Waiter = {
        isOver,
        settle: failure => {
          clearTimeout(timer)
          this.#waiters.delete(number)
          if (failure) reject(failure)
          else resolve(true)
        },
      }
      const number = this.#waiters.add(waiter)
    })
  }
  #release(act: (waiter: Waiter) => void): void {
    for (const waiter of this.#waiters.values()) act(waiter)
  }

  async #run(): Promise<void> {
    const { connection, layout, warn } = this.#options
    const { signal } = this.#abort
    let failures = 0
    while (!signal.aborted && this.#failure === undefined) {
      const broken = new AbortController()
      this.#gathered = []
      try {
        const ends = AbortSignal.any([signal, broken.signal])
        for await (const batch of watchBatches(connection, layout.all, this.#received + 1, ends)) {
          failures = 0
          this.#gather(batch, broken)
        }
        if (broken.signal.aborted) throw broken.signal.reason
      } catch (error) {
        this.#takeGathered(broken)
        if (error instanceof WatchCompacted) this.#lost(error.compacted)
        else {
          if (failures++ === 2) warn(`the watch on etcd broke and is retried: ${String(error)}`)
          await pause(Math.min(longestPauseMs, pauseMs * 2 ** Math.min(failures - 1, 10)), signal)
        }
      }
    }
  }

  /** Collects the batches of one turn of the event loop: a burst of writes then costs the replica one transaction. */
  #gather(batch: WatchBatch, broken: AbortController): void {
    if (broken.signal.aborted) return
    this.#gathered.push(batch)
    if (this.#gathered.length === 1) setImmediate(() => this.#takeGathered(broken))
    else if (this.#gathered.length >= gatheredMost) this.#takeGathered(broken)
  }
  #takeGathered(broken: AbortController): void {
    // Batches collected by now belong to the next watch, or will arrive again.
    if (broken.signal.aborted) return
    const batches = this.#gathered
    const last = batches.at(-1)
    this.#gathered = []
    if (last === undefined) return
    try {
      this.#take(batches.length === 1 ? last : { ...last, events: batches.flatMap(({ events }) => events) })
    } catch (error) {
      // An event cannot be decoded: the watch restarts from there.
      broken.abort(error)
    }
  }

  #take({ revision, events }: WatchBatch): void {
    const { ring, layout, now, compacted, taken } = this.#options
    const stored = storedEvents(events, layout)
    ring.push(stored, now())
    taken?.(stored, revision)
    for (const { kv } of events) if (kv.key.equals(layout.compact)) compacted(Number(kv.value.toString()) || 0)
    const last = events.at(-1)
    if (last !== undefined) this.#lastEvent = toNumber(last.kv.modRevision)
    this.#received = Math.max(this.#received, revision)
    const news = stored.filter(event => event.revision > this.#delivered)
    this.#delivered = Math.max(this.#delivered, revision)
    if (news.length > 0) this.#deliver(news)
    this.#release(waiter => waiter.isOver(stored) && waiter.settle())
  }

  /** Handles compaction of events up to `compacted`. If they had been received, only the ring lacks them. */
  #lost(compacted: Revision): void {
    this.#options.compacted(compacted)
    if (compacted <= this.#delivered) {
      this.#options.ring.reset(compacted)
      this.#received = compacted
      return
    }
    this.fail(`events ${this.#received + 1} to ${compacted} were compacted before this process saw them: restart it`)
  }

  /** Caches in this process would stay wrong, so its health check fails until it is restarted. */
  fail(why: string): StorageError {
    if (this.#failure) return this.#failure
    this.#failure = new StorageError('unavailable', why)
    this.#options.warn(why)
    this.#release(waiter => waiter.settle(this.#failure))
    return this.#failure
  }

  #deliver(events: readonly StoredEvent[]): void {
    for (const subscriber of [...this.#subscribers]) {
      if (!this.#subscribers.has(subscriber)) continue
      try {
        subscriber(events)
      } catch (error) {
        this.#options.warn(
          `a subscriber of the store failed: ${error instanceof Error ? error.message : String(error)}`,
        )
      }
    }
  }
}

/** Waits unless aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => {})
