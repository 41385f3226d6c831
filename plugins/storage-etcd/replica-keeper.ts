import { setTimeout as sleep } from 'node:timers/promises'
import { addAll } from 'orch/sdk'
import { type ListPage, type Revision, StorageError, type StoredObject, type StoreReplica } from 'orch/sdk/host'
import { messageOf } from './etcd-errors.js'
import { fillReplica } from './fill-replica.js'
import { type HistorySources, readHistory } from './history.js'
import { methods } from './protocol.js'
import type { StoredEvent } from './stored-event.js'

export interface ReplicaKeeperOptions {
  readonly sources: HistorySources
  readonly openReplica: () => Promise<StoreReplica>
  /** Lists all objects from etcd, with keys and attributes. */
  readonly listAll: () => Promise<ListPage>
  /** The approximate number of all objects. */
  readonly countAll: () => Promise<number>
  /** The revision at which the store was opened. Reads must include everything up to it. */
  readonly start: Revision
  /** The compacted revision of etcd. */
  readonly compacted: () => Revision
  /** A replica from an earlier run that can be resumed. */
  readonly resumed: StoreReplica | undefined
  readonly warn: (message: string) => void
  readonly info: (message: string) => void
}

export interface Found {
  readonly object: StoredObject | undefined
}

/** How long a read waits for the replica before it goes to etcd. */
const patienceMs = 200
/** Writes to other keys of etcd do not appear in the watch, so a marker is written to make it progress. */
const nudgeAfterMs = 50
const nudgeEveryMs = 250
const changesAtATime = 500
/** Pending events are applied when a list or watch needs them, at the latest after this time: many changes share a transaction. */
const lingerMs = 100
const pendingBytes = 8 * 2 ** 20
const progressEveryMs = 5000
const firstPauseMs = 1000
const longestPauseMs = 600_000

/**
 * Maintains a replica: fills it, catches up with the watch, applies its events from then on, and rebuilds the replica if it turns
 * out to be corrupt. While it cannot serve a read, `at` returns undefined and etcd serves it instead.
 */
export class ReplicaKeeper {
  readonly #options: ReplicaKeeperOptions
  readonly #abort = new AbortController()
  /** Updated from the watch without gaps. */
  #replica: StoreReplica | undefined
  /** Events from the watch that have not been applied yet. */
  #pending: StoredEvent[] = []
  #pendingBytes = 0
  /** The newest pending event of each key. */
  readonly #pendingKeys = new Map<string, StoredEvent>()
  #pendingTo: Revision = 0
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void>
  #compacting: Promise<void> = Promise.resolve()
  /** A read timed out waiting for this revision. */
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
  /** Settles when there is a replica, or when attempts to build one have ended. */
  get settled(): Promise<void> {
    return this.#working
  }

  /** The replica, if it includes this revision; undefined if the read has to go to etcd. */
  at(wanted: Revision): StoreReplica | undefined | Promise<StoreReplica | undefined> {
    return this.#from(wanted, () => this.#current())
  }
  /** An object, or that it does not exist, as of this revision or later; undefined if the read has to go to etcd. */
  get(key: string, wanted: Revision): Found | undefined | Promise<Found | undefined> {
    return this.#from(wanted, () => this.#find(key))
  }
  #from<T>(wanted: Revision, read: () => T | undefined): T | undefined | Promise<T | undefined> {
    const replica = this.#replica
    if (replica === undefined) return undefined
    const needed = Math.max(wanted, this.#options.start)
    const told = this.#toldTo(replica)
    if (told >= needed) return read()
    // After a timeout, reads do not wait until the replica has reached that revision.
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

  /** The replica, if it still has the history of this revision. */
  holding(revision: Revision): StoreReplica | undefined {
    const replica = this.#current()
    return replica && replica.compactedRevision <= revision && revision <= replica.revision ? replica : undefined
  }

  /** Accepts events from the watch, before subscribers receive them. */
  taken(events: readonly StoredEvent[], revision: Revision): void {
    if (this.#replica === undefined) return
    addAll(this.#pending, events)
    this.#pendingTo = Math.max(this.#pendingTo, revision)
    for (const event of events) {
      // A resumed replica already has the first ones.
      if (event.revision <= this.#replica.revision) continue
      this.#pendingKeys.set(event.key, event)
      this.#pendingBytes += event.bytes
    }
    if (this.#pending.length >= changesAtATime || this.#pendingBytes >= pendingBytes) this.#current()
    else this.#timer ??= setTimeout(() => this.#current(), lingerMs).unref()
  }

  /** The replica with all pending events applied. */
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

  /** Discards a replica that has failed, and rebuilds it. */
  failed(replica: StoreReplica, error: unknown): void {
    if (this.#replica !== replica) return
    this.#replica = undefined
    this.#forgetPending()
    this.#options.warn(`the replica of etcd is rebuilt: ${messageOf(error)}`)
    this.#working = this.#throwAway(replica).then(() => this.#work(undefined))
  }

  /** Compacts the replica like etcd. */
  compact(revision: Revision): Promise<void> {
    this.#compacting = this.#compacting.then(async () => {
      const replica = this.#current()
      if (replica === undefined || this.#abort.signal.aborted) return
      await replica.compact(revision).catch(error => this.failed(replica, error))
    })
    return this.#compacting
  }

  /** Stops all work. The connection must be closed already, or this may take long. */
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
    // Not a progress request: before etcd 3.4.25 and 3.5.8 its response may overtake events.
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
        this.#options.warn(`there is no replica of etcd yet: ${messageOf(error)}; retried in ${pauseMs / 1000} s`)
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

  /** Applies history up to the watch, then attaches the replica to the watch in the same turn, so that no event is missed. */
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
        // Changes of one revision stay together.
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
