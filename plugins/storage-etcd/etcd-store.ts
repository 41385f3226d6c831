import { isPromise } from 'orch/sdk'
import {
  CompactedError,
  type Decide,
  type ListPage,
  type ListRequest,
  type Revision,
  ShortLivedEntries,
  StorageError,
  type Store,
  type StoredObject,
  type StoreEvent,
  type StoreReplica,
  type StoreStats,
  type TransactionResult,
  Transactions,
  type TransactOptions,
  type Write,
  type WriteResult,
} from 'orch/sdk/host'
import { advanceRevision } from './advance-revision.js'
import { atMost } from './at-most.js'
import { Compactor } from './compactor.js'
import { type Connection, read } from './connection.js'
import { isAnswerTooLarge, isCompacted, storageErrorFrom } from './etcd-errors.js'
import type { EtcdStoreOptions, StartingPoint } from './etcd-store-options.js'
import { EventRing } from './event-ring.js'
import { EventTail } from './event-tail.js'
import { findCompacted } from './find-compacted.js'
import { type HistorySources, readHistory } from './history.js'
import type { KeyLayout } from './key-layout.js'
import { ListReader, PageSizes } from './list-reader.js'
import { clusterOf, headerRevision, methods, type RangeRequest, type RangeResponse, toNumber } from './protocol.js'
import { ReadIndex } from './read-index.js'
import { storedObject } from './record.js'
import { historyOf, isDamage, telling } from './replica-damage.js'
import { type Found, ReplicaKeeper } from './replica-keeper.js'
import { Writer } from './writer.js'

const ringBytes = 32 * 2 ** 20
/** Revisions before the start that are fetched, so that watches which move here from another server resume from memory. */
const revisionsFetched = 1000

export class EtcdStore implements Store {
  readonly #connection: Connection
  readonly #layout: KeyLayout
  readonly #tail: EventTail
  readonly #ring: EventRing
  readonly #writer: Writer
  readonly #compactor: Compactor
  readonly #index = new ReadIndex(() => this.#askRevision())
  readonly #keeper: ReplicaKeeper | undefined
  readonly #cluster: number
  readonly #writes = new ShortLivedEntries<Promise<unknown>>()
  readonly #transactions = new Transactions({ supportsChainedWrites: true, hasStaleReads: true })
  readonly #pageSizes = new PageSizes()
  #known: Revision
  #compacted: Revision
  #closing: Promise<void> | undefined

  constructor(options: EtcdStoreOptions, start: StartingPoint) {
    const { connection, layout, historyMs, now, warn, info, openReplica } = options
    this.#connection = connection
    this.#cluster = start.cluster
    this.#layout = layout
    this.#known = start.revision
    this.#compacted = start.compacted
    const compacted = (revision: Revision) => this.#forgot(revision)
    const ringStart = Math.max(start.compacted, start.revision - revisionsFetched)
    this.#ring = new EventRing(ringStart, ringBytes, historyMs)
    this.#tail = new EventTail({
      connection,
      layout,
      ring: this.#ring,
      delivered: start.revision,
      now,
      warn,
      compacted,
      taken: (events, revision) => this.#keeper?.taken(events, revision),
    })
    this.#writer = new Writer({ connection, layout, tail: this.#tail, warn, seen: revision => this.#saw(revision) })
    this.#compactor = new Compactor({ connection, layout, historyMs, warn, compacted })
    this.#keeper =
      openReplica &&
      new ReplicaKeeper({
        sources: this.#sources(),
        openReplica,
        listAll: () => this.#listFromEtcd({ prefix: '', keys: true, isUsual: () => false }),
        countAll: () => this.#countInEtcd(''),
        start: start.revision,
        compacted: () => this.#compacted,
        resumed: start.resumed,
        warn,
        info,
      })
  }

  /** Settles when reads are served from the replica, if there is to be one. */
  get replicaSettled(): Promise<void> {
    return this.#keeper?.settled ?? Promise.resolve()
  }

  currentRevision(): Revision {
    return Math.max(this.#known, this.#tail.delivered)
  }
  async latestRevision(): Promise<Revision> {
    this.#checkOpen()
    await this.#index.latest()
    return this.currentRevision()
  }
  compactedRevision(): Revision {
    return this.#compacted
  }

  get(key: string, notOlderThan?: Revision): StoredObject | undefined | Promise<StoredObject | undefined> {
    this.#checkOpen()
    if (notOlderThan === undefined) return this.#getNewest(key)
    const local = this.#keeper?.get(key, notOlderThan)
    return isPromise(local) || local === undefined ? this.#getWhenFound(key, local) : local.object
  }
  async #getNewest(key: string): Promise<StoredObject | undefined> {
    if (!this.#keeper?.hasReplica) return await this.#getFromEtcd(key)
    const local = this.#keeper.get(key, await this.#index.latest())
    return isPromise(local) || local === undefined ? await this.#getWhenFound(key, local) : local.object
  }
  async #getWhenFound(key: string, local: Promise<Found | undefined> | undefined): Promise<StoredObject | undefined> {
    const found = await local
    return found === undefined ? await this.#getFromEtcd(key) : found.object
  }
  async #getFromEtcd(key: string): Promise<StoredObject | undefined> {
    const { kvs } = await this.#range({ key: this.#layout.objectKey(key) })
    const found = kvs[0]
    return found && storedObject(key, found.value, toNumber(found.modRevision))
  }

  async list(request: ListRequest): Promise<ListPage> {
    this.#checkOpen()
    const { revision, notOlderThan } = request
    if (revision !== undefined && revision < this.#compacted) throw new CompactedError(this.#compacted)
    const replica = revision === undefined ? undefined : this.#keeper?.holding(revision)
    if (replica !== undefined) return this.#localPage(replica, request)
    const isPast = revision !== undefined
    const local = isPast ? undefined : await this.#inReplica(notOlderThan, each => this.#localPage(each, request))
    return local ?? (await this.#listFromEtcd(request))
  }

  async count(prefix: string): Promise<number> {
    this.#checkOpen()
    return (await this.#inReplica(undefined, replica => replica.count(prefix))) ?? (await this.#countInEtcd(prefix))
  }

  writeTurn(): undefined {}

  transact(key: string, decide: Decide, options?: TransactOptions): Promise<TransactionResult> {
    return this.#transactions.run(this, key, decide, options)
  }

  async write(write: Write): Promise<WriteResult> {
    this.#checkOpen()
    const writing = this.#writer.write(write)
    const number = this.#writes.add(writing)
    return await writing.finally(() => this.#writes.delete(number))
  }

  subscribe(deliver: (events: readonly StoreEvent[]) => void): () => void {
    return this.#tail.subscribe(deliver)
  }

  history(prefix: string, from: Revision, to: Revision): AsyncIterable<StoreEvent> {
    this.#checkOpen()
    if (from < this.#compacted) throw new CompactedError(this.#compacted)
    return this.#history(prefix, from, Math.min(to, this.#tail.delivered))
  }
  async *#history(prefix: string, from: Revision, to: Revision): AsyncGenerator<StoreEvent, void> {
    if (from >= to) return
    const replica = await this.#keeper?.at(to)
    const fromEtcd = (after: Revision) => readHistory(this.#sources(), prefix, after, to)
    if (replica === undefined || from < replica.compactedRevision) return yield* fromEtcd(from)
    yield* historyOf(replica, [prefix, from, to], error => this.#keeper?.failed(replica, error), fromEtcd)
  }

  async compact(revision: Revision): Promise<void> {
    this.#checkOpen()
    const newest = await this.latestRevision()
    try {
      await this.#compactor.compact(Math.min(revision, newest))
      await this.#keeper?.compact(this.#compacted)
    } catch (error) {
      throw storageErrorFrom(error)
    }
  }

  /** Writes to other keys of the cluster count as history, too: etcd has one revision for all keys. */
  async stats(): Promise<StoreStats> {
    const [keys, { dbSize }] = await Promise.all([this.count(''), read(this.#connection, methods.status, {})])
    const revision = this.currentRevision()
    const historyEntries = Math.max(0, revision - this.#compacted)
    return { revision, compactedRevision: this.#compacted, keys, sizeBytes: toNumber(dbSize), historyEntries }
  }

  async advanceTo(revision: Revision): Promise<void> {
    this.#checkOpen()
    const begin = await advanceRevision(this.#connection, this.#layout, await this.latestRevision(), revision)
    await this.#tail.reached(begin, Number(2 ** 31 - 1))
    this.#saw(begin)
    this.#forgot(begin)
  }

  /** Asking etcd before every request would take too long; the watch delivers events as they come. */
  catchUp(): void {}

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }
  async #close(): Promise<void> {
    // An etcd that hangs must not delay the shutdown: requests in flight end with the connection.
    await atMost(2000, this.#finish())
    this.#connection.close()
    await this.#keeper?.stop()
  }
  async #finish(): Promise<void> {
    await Promise.allSettled(this.#writes.values())
    await this.#compactor.stop()
    await this.#tail.stop()
  }

  /** Reads from the replica if possible. The read is linearizable unless an older state is acceptable. */
  async #inReplica<T>(notOlderThan: Revision | undefined, read: (replica: StoreReplica) => T): Promise<T | undefined> {
    if (!this.#keeper?.hasReplica) return undefined
    const replica = await this.#keeper.at(notOlderThan ?? (await this.#index.latest()))
    if (replica === undefined) return undefined
    try {
      return read(replica)
    } catch (error) {
      this.#keeper.failed(replica, error)
      return undefined
    }
  }
  #localPage(replica: StoreReplica, request: ListRequest): ListPage {
    const { revision, items } = replica.list(request)
    return { revision, items: telling(items, error => isDamage(error) && this.#keeper?.failed(replica, error)) }
  }

  async #listFromEtcd(request: ListRequest): Promise<ListPage> {
    const reader = new ListReader(range => this.#range(range), this.#layout, this.#pageSizes, request)
    const revision = await reader.open()
    return { revision, items: reader.chunks(revision) }
  }
  async #countInEtcd(prefix: string): Promise<number> {
    const { start: key, end: rangeEnd } = this.#layout.objectsBelow(prefix)
    return toNumber((await this.#range({ key, rangeEnd, countOnly: true })).count)
  }

  /** The revision of etcd never decreases: if it is lower, etcd was restored from a backup or replaced. */
  async #askRevision(): Promise<Revision> {
    const committed = this.currentRevision()
    const response = await this.#range({ key: this.#layout.mark, countOnly: true })
    const revision = headerRevision(response)
    if (revision >= committed && clusterOf(response) === this.#cluster) return revision
    throw this.#tail.fail(
      `etcd was at revision ${committed} and is at ${revision}: it was restored or replaced; restart`,
    )
  }
  #sources(): HistorySources {
    return { connection: this.#connection, layout: this.#layout, tail: this.#tail, ring: this.#ring }
  }

  async #range(request: RangeRequest): Promise<RangeResponse> {
    try {
      const response = await this.#connection.askForClient(methods.range, request, (request.limit ?? 1) > 1)
      this.#saw(headerRevision(response))
      return response
    } catch (error) {
      if (isAnswerTooLarge(error)) throw error
      if (!isCompacted(error)) throw storageErrorFrom(error)
      this.#forgot(await findCompacted(this.#connection, this.#layout))
      throw new CompactedError(this.#compacted)
    }
  }

  #saw(revision: Revision): void {
    this.#known = Math.max(this.#known, revision)
  }
  #forgot(revision: Revision): void {
    if (revision <= this.#compacted) return
    this.#compacted = revision
    void this.#keeper?.compact(revision)
  }
  #checkOpen(): void {
    if (this.#closing !== undefined) throw new StorageError('unavailable', 'the store is closed')
    if (this.#tail.failure !== undefined) throw this.#tail.failure
  }
}
