import { setTimeout as sleep } from 'node:timers/promises'
import { addAll } from 'orch/sdk'
import { type ListPage, type Revision, StorageError, type StoredObject, type StoreReplica } from 'orch/sdk/host'
import { fillReplica } from './fill-replica.js'
import { type HistorySources, readHistory } from './history.js'
import { methods } from './protocol.js'
import type { StoredEvent } from './stored-event.js'

export interface ReplicaKeeperOptions {
  readonly sources: HistorySources
  readonly openReplica: () => Promise<StoreReplica>
  /** Everything there is, from etcd, with keys and attributes. */
  readonly listAll: () => Promise<ListPage>
  /** How many objects that is, about. */
  readonly countAll: () => Promise<number>
  /** The revision at which the store was opened: subscribers count on everything up to it. */
  readonly start: Revision
  /** What etcd has forgotten. */
  readonly compacted: () => Revision
  /** One from an earlier time that can be gone on with. */
  readonly resumed: StoreReplica | undefined
  readonly warn: (message: string) => void
  readonly info: (message: string) => void
}

export interface Found {
  readonly object: StoredObject | undefined
}

/** How long a read waits for the replica before etcd answers it. */
const patienceMs = 200
/** The watch tells nothing of what others write to etcd: it is then given something to tell. */
const nudgeAfterMs = 50
const nudgeEveryMs = 250
const changesAtATime = 500
/** What the watch told is applied when a list or a watch wants it, and else by then: many changes share a transaction. */
const lingerMs = 100
const pendingBytes = 8 * 2 ** 20
const progressEveryMs = 5000
const firstPauseMs = 1000
const longestPauseMs = 600_000

/**
 * Keeps a replica: fills it, brings it up to the watch, feeds it from then on, and makes it again when it turns out to be wrong.
 * Whenever it cannot answer, `at` says so and etcd is asked instead.
 */
export class ReplicaKeeper {
  readonly #options: ReplicaKeeperOptions
  readonly #abort = new AbortController()
  /** Fed by the watch, without a gap. */
  #replica: StoreReplica | undefined
  /** Told by the watch and not applied yet. */
  #pending: StoredEvent[] = []
  #pendingBytes = 0
  /** The newest of those of each key. */
  readonly #pendingKeys = new Map<string, StoredEvent>()
  #pendingTo: Revision = 0
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void>
  #compacting: Promise<void> = Promise.resolve()
  /** A read waited in vain for this revision. */
  #missed: Revision = 0
  #nudgedAt = Number.NEGATIVE_INFINITY

  constructor(options: ReplicaKeeperOptions) {
    this.#options = options
    const { resumed, sources } = options
    if (resumed !== undefined && resumed.revision >= sources.tail.received) {
      this.#working = Promise.resolve()
      this.#use(resumed)
    } else this.#working = this.#work(resumed)
  }

  get hasReplica(): boolean {
    return this.#replica !== undefined
  }
  /** Settles when there is a replica, or no more attempt to make one. */
  get settled(): Promise<void> {
    return this.#working
  }

  /** The replica, when it is as new as that; undefined when etcd has to be asked. */
  at(wanted: Revision): StoreReplica | undefined | Promise<StoreReplica | undefined> {
    return this.#from(wanted, () => this.#current())
  }
  /** An object, or that there is none, when that can be told as of this revision; undefined when etcd has to be asked. */
  get(key: string, wanted: Revision): Found | undefined | Promise<Found | undefined> {
    return this.#from(wanted, () => this.#find(key))
  }
  #from<T>(wanted: Revision, read: () => T | undefined): T | undefined | Promise<T | undefined> {
    const replica = this.#replica
    if (replica === undefined) return undefined
    const needed = Math.max(wanted, this.#options.start)
    const told = this.#toldTo(replica)
    if (told >= needed) return read()
    // Nobody else waits until it has come where the first one gave up.
    return this.#missed > told ? undefined : this.#wait(needed).then(isThere => (isThere ? read() : undefined))
  }
  #toldTo = (replica: StoreReplica): Revision => Math.max(replica.revision, this.#pendingTo)

  #find(key: string): Found | undefined {
    const pending = this.#pendingKeys.get(key)
    if (pending !== undefined) return { object: pending.object() }
    const replica = this.#replica
    try {
      return replica && { object: replica.get(key) }
    } catch (error) {
      this.failed(replica!, error)
      return undefined
    }
  }

  /** The replica, if it has this revision. */
  holding(revision: Revision): StoreReplica | undefined {
    const replica = this.#current()
    return replica && replica.compactedRevision <= revision && revision <= replica.revision ? replica : undefined
  }

  /** What the watch has told; before subscribers hear of it. */
  taken(events: readonly StoredEvent[], revision: Revision): void {
    if (this.#replica === undefined) return
    addAll(this.#pending, events)
    this.#pendingTo = Math.max(this.#pendingTo, revision)
    for (const event of events) {
      // A replica from an earlier time has the first ones already.
      if (event.revision <= this.#replica.revision) continue
      this.#pendingKeys.set(event.key, event)
      this.#pendingBytes += event.bytes
    }
    if (this.#pending.length >= changesAtATime || this.#pendingBytes >= pendingBytes) this.#current()
    else this.#timer ??= setTimeout(() => this.#current(), lingerMs).unref()
  }

  /** The replica with everything that the watch has told. */
  #current(): StoreReplica | undefined {
    const replica = this.#replica
    if (this.#pendingTo === 0 || replica === undefined) return replica
    const events = this.#pending
    const revision = this.#pendingTo
    this.#forgetPending()
    try {
      replica.apply(
        events.map(event => event.change()),
        revision,
      )
    } catch (error) {
      this.failed(replica, error)
    }
    return this.#replica
  }
  #forgetPending(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#pending = []
    this.#pendingBytes = 0
    this.#pendingKeys.clear()
    this.#pendingTo = 0
  }

  /** It cannot be used any more. */
  failed(replica: StoreReplica, error: unknown): void {
    if (this.#replica !== replica) return
    this.#replica = undefined
    this.#forgetPending()
    this.#options.warn(`the replica of etcd is made again: ${messageOf(error)}`)
    this.#working = this.#throwAway(replica).then(() => this.#work(undefined))
  }

  /** Forgets what etcd has forgotten. */
  compact(revision: Revision): Promise<void> {
    this.#compacting = this.#compacting.then(async () => {
      const replica = this.#current()
      if (replica === undefined || this.#abort.signal.aborted) return
      await replica.compact(revision).catch(error => this.failed(replica, error))
    })
    return this.#compacting
  }

  /** Ends what is under way. The connection must be closed then, or it may take long. */
  async stop(): Promise<void> {
    this.#abort.abort()
    await this.#compacting
    for (let awaited: unknown; awaited !== this.#working; await awaited) awaited = this.#working
    await this.#current()
      ?.close()
      .catch(error => this.#options.warn(`the replica was not closed: ${messageOf(error)}`))
  }

  async #wait(needed: Revision): Promise<boolean> {
    const { tail } = this.#options.sources
    if (!(await tail.reached(needed, nudgeAfterMs))) {
      this.#nudge()
      if (!(await tail.reached(needed, patienceMs - nudgeAfterMs))) this.#missed = Math.max(this.#missed, needed)
    }
    return this.#replica !== undefined && this.#toldTo(this.#replica) >= needed
  }
  #nudge(): void {
    const { connection, layout } = this.#options.sources
    const now = performance.now()
    if (now - this.#nudgedAt < nudgeEveryMs) return
    this.#nudgedAt = now
    // Not asked for progress instead: before etcd 3.4.25 and 3.5.8 the answer may overtake events.
    connection.once(methods.put, { key: layout.mark, value: Buffer.alloc(0) }).catch(() => {})
  }

  async #work(resumed: StoreReplica | undefined): Promise<void> {
    const { signal } = this.#abort
    let found = resumed
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      let replica: StoreReplica | undefined
      try {
        replica = found ?? (await this.#options.openReplica())
        found = undefined
        if (replica.revision === 0) await this.#fill(replica)
        await this.#catchUp(replica)
        return
      } catch (error) {
        if (replica !== undefined) await this.#throwAway(replica)
        if (signal.aborted || this.#options.sources.tail.failure !== undefined) return
        this.#options.warn(`there is no replica of etcd yet: ${messageOf(error)}; tried again in ${pauseMs / 1000} s`)
        await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {})
      }
    }
  }

  async #fill(replica: StoreReplica): Promise<void> {
    const { listAll, countAll, info } = this.#options
    const began = performance.now()
    let toldAt = began
    let total: number | undefined
    const copied = await fillReplica(replica, await listAll(), done => {
      if (this.#abort.signal.aborted) throw new StorageError('unavailable', 'the store is closed')
      if (performance.now() - toldAt < progressEveryMs) return
      toldAt = performance.now()
      if (total === undefined)
        countAll().then(
          count => (total = count),
          () => {},
        )
      info(`copying etcd to this machine: ${done}${total === undefined ? '' : ` of ${total}`} objects`)
    })
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    info(`copied etcd to this machine: ${copied} objects at revision ${replica.revision} in ${seconds} s`)
  }

  /** Up to what the watch has told. From then on the watch feeds it: in the same turn, so that nothing is told in between. */
  async #catchUp(replica: StoreReplica): Promise<void> {
    const { sources } = this.#options
    while (replica.revision < sources.tail.received) {
      const upper = sources.tail.received
      let group: StoredEvent[] = []
      const apply = (revision: Revision) => {
        replica.apply(
          group.map(event => event.change()),
          revision,
        )
        group = []
      }
      for await (const event of readHistory(sources, '', replica.revision, upper)) {
        const last = group.at(-1)
        // What one revision changed stays together.
        if (last !== undefined && group.length >= changesAtATime && last.revision < event.revision) apply(last.revision)
        group.push(event)
      }
      apply(upper)
    }
    this.#use(replica)
  }
  #use(replica: StoreReplica): void {
    this.#replica = replica
    void this.compact(this.#options.compacted())
  }

  async #throwAway(replica: StoreReplica): Promise<void> {
    await replica.discard().catch(error => this.#options.warn(`the replica was not removed: ${messageOf(error)}`))
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
