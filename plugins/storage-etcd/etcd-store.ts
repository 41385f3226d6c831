import {
  CompactedError,
  type ListPage,
  type ListRequest,
  type Revision,
  StorageError,
  type Store,
  type StoredObject,
  type StoreEvent,
  type StoreStats,
  type Write,
  type WriteResult,
} from 'orch/sdk/host'
import { advanceRevision } from './advance-revision.js'
import { Compactor } from './compactor.js'
import { type Connection, read } from './connection.js'
import { isAnswerTooLarge, isCompacted, storageErrorFrom } from './etcd-errors.js'
import { EventRing } from './event-ring.js'
import { EventTail } from './event-tail.js'
import { readHistory } from './history.js'
import type { KeyLayout } from './key-layout.js'
import { ListReader, PageSizes } from './list-reader.js'
import { headerRevision, methods, type RangeRequest, type RangeResponse, toNumber } from './protocol.js'
import { storedObject } from './record.js'
import { WatchCompacted, watchBatches } from './watch-batches.js'
import { Writer } from './writer.js'

export interface EtcdStoreOptions {
  readonly connection: Connection
  readonly layout: KeyLayout
  readonly historyMs: number
  readonly now: () => number
  readonly warn: (message: string) => void
}
/** What the cluster said when the store was opened. */
export interface StartingPoint {
  readonly revision: Revision
  readonly compacted: Revision
}

const ringBytes = 32 * 2 ** 20
/** As many revisions before the start are fetched, so that watches which lose one server resume on another from memory. */
const revisionsFetched = 1000

export class EtcdStore implements Store {
  readonly #connection: Connection
  readonly #layout: KeyLayout
  readonly #tail: EventTail
  readonly #ring: EventRing
  readonly #writer: Writer
  readonly #compactor: Compactor
  readonly #writes = new Set<Promise<unknown>>()
  readonly #pageSizes = new PageSizes()
  #known: Revision
  #compacted: Revision
  #closing: Promise<void> | undefined

  constructor(options: EtcdStoreOptions, start: StartingPoint) {
    const { connection, layout, historyMs, now, warn } = options
    this.#connection = connection
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
    })
    this.#writer = new Writer({ connection, layout, tail: this.#tail, warn, seen: revision => this.#saw(revision) })
    this.#compactor = new Compactor({ connection, layout, historyMs, warn, compacted })
  }

  currentRevision(): Revision {
    return Math.max(this.#known, this.#tail.delivered)
  }
  async latestRevision(): Promise<Revision> {
    this.#checkOpen()
    await this.#range({ key: this.#layout.mark, countOnly: true })
    return this.currentRevision()
  }
  compactedRevision(): Revision {
    return this.#compacted
  }

  async get(key: string): Promise<StoredObject | undefined> {
    this.#checkOpen()
    const { kvs } = await this.#range({ key: this.#layout.objectKey(key) })
    const found = kvs[0]
    return found && storedObject(key, found.value, toNumber(found.modRevision))
  }

  async list(request: ListRequest): Promise<ListPage> {
    this.#checkOpen()
    const reader = new ListReader(range => this.#range(range), this.#layout, this.#pageSizes, request)
    const revision = await reader.open()
    return { revision, items: reader.chunks(revision) }
  }

  async count(prefix: string): Promise<number> {
    this.#checkOpen()
    const { start: key, end: rangeEnd } = this.#layout.objectsBelow(prefix)
    return toNumber((await this.#range({ key, rangeEnd, countOnly: true })).count)
  }

  async write(write: Write): Promise<WriteResult> {
    this.#checkOpen()
    const writing = this.#writer.write(write)
    this.#writes.add(writing)
    return await writing.finally(() => this.#writes.delete(writing))
  }

  subscribe(deliver: (events: readonly StoreEvent[]) => void): () => void {
    return this.#tail.subscribe(deliver)
  }

  history(prefix: string, from: Revision, to: Revision): AsyncIterable<StoreEvent> {
    this.#checkOpen()
    if (from < this.#compacted) throw new CompactedError(this.#compacted)
    const sources = { connection: this.#connection, layout: this.#layout, tail: this.#tail, ring: this.#ring }
    return readHistory(sources, prefix, from, to)
  }

  async compact(revision: Revision): Promise<void> {
    this.#checkOpen()
    const newest = await this.latestRevision()
    try {
      await this.#compactor.compact(Math.min(revision, newest))
    } catch (error) {
      throw storageErrorFrom(error)
    }
  }

  /** Other keys of the cluster count as history too: etcd has one revision for all. */
  async stats(): Promise<StoreStats> {
    const [keys, { dbSize }] = await Promise.all([this.count(''), read(this.#connection, methods.status, {})])
    const revision = this.currentRevision()
    const historyEntries = Math.max(0, revision - this.#compacted)
    return { revision, compactedRevision: this.#compacted, keys, sizeBytes: toNumber(dbSize), historyEntries }
  }

  async advanceTo(revision: Revision): Promise<void> {
    this.#checkOpen()
    await advanceRevision(this.#connection, this.#layout, await this.latestRevision(), revision)
    await this.#tail.reached(revision, Number(2 ** 31 - 1))
    await this.latestRevision()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }
  async #close(): Promise<void> {
    await Promise.allSettled(this.#writes)
    await this.#compactor.stop()
    await this.#tail.stop()
    this.#connection.close()
  }

  async #range(request: RangeRequest): Promise<RangeResponse> {
    try {
      const response = await this.#connection.ask(methods.range, request, (request.limit ?? 1) > 1)
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
    this.#compacted = Math.max(this.#compacted, revision)
  }
  #checkOpen(): void {
    if (this.#closing !== undefined) throw new StorageError('unavailable', 'the store is closed')
    if (this.#tail.failure !== undefined) throw this.#tail.failure
  }
}

/** etcd tells its compacted revision only to a watch that begins before it. */
export async function findCompacted(connection: Connection, layout: KeyLayout): Promise<Revision> {
  const range = { start: layout.mark, end: Buffer.concat([layout.mark, Buffer.of(0)]) }
  const abort = new AbortController()
  try {
    for await (const _ of watchBatches(connection, range, 1, abort.signal)) break
  } catch (error) {
    if (error instanceof WatchCompacted) return error.compacted
    throw error
  } finally {
    abort.abort()
  }
  throw new StorageError('unavailable', 'etcd does not tell its compacted revision')
}
