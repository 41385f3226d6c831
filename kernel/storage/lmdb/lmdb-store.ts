import {
  CompactedError,
  type Decide,
  type ListPage,
  type ListRequest,
  type Revision,
  StorageError,
  type Store,
  type StoredObject,
  type StoreEvent,
  type StorePeers,
  type StoreStats,
  type TransactionResult,
  Transactions,
  type TransactOptions,
  type Write,
  type WriteResult,
} from 'orch/sdk/host'
import { isTooLong, modRevisionOf, storedObject } from '../revision.js'
import { CommitQueue } from './commit-queue.js'
import { Compaction } from './compaction.js'
import { copyOf, type Environment } from './environment.js'
import { EventTail } from './event-tail.js'
import { ListReader, type ListSources, listSourcesOf } from './list-reader.js'
import { firstRange } from './past-cursor.js'
import { Peers } from './peers.js'
import { readHistory } from './read-log.js'
import { countKeys } from './remaining-counts.js'
import { SpaceGuard } from './space-guard.js'

export interface LmdbStoreOptions {
  /** How long replaced versions and events are kept. */
  readonly historyMs: number
  readonly now: () => number
  readonly warn: (message: string) => void
  /** Data beyond this is rejected; deletes and compaction continue. */
  readonly maxBytes?: number
  /** The other processes of the same server. */
  readonly peers?: StorePeers | undefined
  /**
   * Whether gets of one turn may share a snapshot. They see what this process committed at once, and what others did,
   * such as a command that runs beside a server, from the next turn on.
   */
  readonly sharesSnapshots?: boolean | undefined
}

/** How often to look for commits of processes that announce them. */
const toldPollMs = 20

export class LmdbStore implements Store {
  readonly #environment: Environment
  readonly #space: SpaceGuard
  readonly #release: () => Promise<void>
  readonly #tail: EventTail
  readonly #queue: CommitQueue
  readonly #compaction: Compaction
  readonly #peers: Peers
  readonly #transactions = new Transactions({ supportsChainedWrites: true })
  readonly #isAlone: boolean
  readonly #sharesSnapshots: boolean
  /** Whether this process committed anything since the snapshot of this turn was taken. */
  #isSnapshotOld = true
  readonly #lists: ListSources
  #closing: Promise<void> | undefined

  /** `release` releases the environment when the store is closed. */
  constructor(environment: Environment, release: () => Promise<void>, options: LmdbStoreOptions) {
    const { now, warn, peers } = options
    const historyMs = peers && !peers.isPrimary ? Number.POSITIVE_INFINITY : options.historyMs
    const space = new SpaceGuard(environment, options.maxBytes)
    const refusal = space.reasonToRefuse()
    if (refusal !== undefined) warn(`new data is rejected until there is space; reads and deletes continue: ${refusal}`)
    this.#space = space
    this.#sharesSnapshots = options.sharesSnapshots ?? false
    this.#environment = environment
    this.#release = release
    this.#tail = new EventTail(environment, warn)
    this.#queue = new CommitQueue({
      environment,
      now,
      committed: events => {
        this.#isSnapshotOld = true
        this.#tail.committed(events)
        if (events.length > 0) peers?.announce()
      },
      checkSpace: bytes => (bytes === undefined ? space.checkAny() : space.check(bytes)),
      commitFailed: error => space.failed(error),
    })
    this.#isAlone = peers === undefined
    this.#compaction = new Compaction({ environment, historyMs, now, warn })
    this.#peers = new Peers(environment, () => this.#refresh(), peers && toldPollMs)
    peers?.onNews(() => this.#closing === undefined && this.catchUp())
    this.#lists = listSourcesOf(environment)
  }

  currentRevision(): Revision {
    return this.#tail.delivered
  }
  latestRevision(): Revision {
    this.#refresh()
    return this.#environment.readState().revision
  }
  compactedRevision(): Revision {
    this.#checkOpen()
    return this.#environment.readState().compacted
  }

  get(key: string): StoredObject | undefined {
    this.#checkOpen()
    if (isTooLong(key)) return undefined
    // A new snapshot costs more than the read.
    if (this.#isSnapshotOld || !this.#sharesSnapshots) this.#takeSnapshot()
    const record = copyOf(this.#environment.current.getBinaryFast(key))
    if (record === undefined) return undefined
    // A client that reads a revision may watch from it, so its event must have been delivered.
    if (modRevisionOf(record) > this.#tail.delivered) this.#tail.catchUp()
    return storedObject(key, record)
  }

  list(request: ListRequest): ListPage {
    this.#refresh()
    const { revision: newest, compacted } = this.#environment.readState()
    const revision = request.revision ?? newest
    if (revision < compacted) throw new CompactedError(compacted)
    if (revision > newest) throw new StorageError('unavailable', `revision ${revision} is after the newest, ${newest}`)
    const sources = this.#lists
    return { revision, items: { [Symbol.asyncIterator]: () => new ListReader(sources, request, revision) } }
  }

  count(prefix: string): number {
    this.#refresh()
    return countKeys(this.#environment, firstRange({ prefix }))
  }

  /** Only for a single process: with others, writers also wait for the lock, which leaves time to prepare more. */
  writeTurn(): Promise<void> | undefined {
    return this.#isAlone ? this.#queue.turn() : undefined
  }

  transact(key: string, decide: Decide, options?: TransactOptions): Promise<TransactionResult> {
    return this.#transactions.run(this, key, decide, options)
  }

  write(write: Write): Promise<WriteResult> {
    return this.#queue.write(write)
  }

  subscribe(deliver: (events: readonly StoreEvent[]) => void): () => void {
    return this.#tail.subscribe(deliver)
  }

  history(prefix: string, from: Revision, to: Revision): Iterable<StoreEvent> {
    this.#refresh()
    const { revision, compacted } = this.#environment.readState()
    if (from < compacted) throw new CompactedError(compacted)
    return readHistory(this.#environment, Buffer.from(prefix), from, Math.min(to, revision))
  }

  async compact(revision: Revision): Promise<void> {
    this.#checkOpen()
    await this.#compaction.compactTo(Math.min(revision, this.latestRevision()))
  }

  stats(): StoreStats {
    this.#refresh()
    const { revision, compacted } = this.#environment.readState()
    return {
      revision,
      compactedRevision: compacted,
      keys: this.#environment.keyCount(),
      sizeBytes: this.#environment.fileBytes(),
      historyEntries: this.#environment.logCount(),
      freeBytes: this.#space.freeBytes(),
    }
  }

  async advanceTo(revision: Revision): Promise<void> {
    this.#checkOpen()
    await this.#environment.transaction(() => {
      this.#environment.forgetHistory(Math.max(revision, this.#environment.readState().revision))
    })
    this.#refresh()
  }

  catchUp(): void {
    this.#refresh()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }
  async #close(): Promise<void> {
    this.#peers.stop()
    await this.#queue.close()
    await this.#compaction.stop()
    await this.#release()
  }

  /** Sees what every process has committed, and lets subscribers see it before anyone can read it. */
  #refresh(): void {
    this.#checkOpen()
    this.#takeSnapshot()
    this.#tail.catchUp()
  }
  #takeSnapshot(): void {
    this.#isSnapshotOld = false
    this.#environment.refresh()
    if (this.#environment.readState().revision < this.#tail.delivered) this.#environment.restoreNewest()
  }
  #checkOpen(): void {
    if (this.#closing !== undefined) throw new StorageError('unavailable', 'the store is closed')
  }
}
