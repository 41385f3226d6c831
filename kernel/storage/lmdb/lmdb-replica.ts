import {
  CompactedError,
  type ListPage,
  type ListRequest,
  type ReplicatedChange,
  type ReplicatedObject,
  type Revision,
  StorageError,
  type StoredObject,
  type StoreEvent,
  type StoreReplica,
} from 'orch/sdk/host'
import { encodeRecord, isTooLong, modRevisionOf, type State, storedObject } from '../revision.js'
import { Compaction } from './compaction.js'
import { copyOf, type Environment } from './environment.js'
import { ListReader, type ListSources, listSourcesOf } from './list-reader.js'
import { firstRange } from './past-cursor.js'
import { applyWrite, checkBodySize, type PreparedWrite, prepareWrite } from './prepare-write.js'
import { readHistory } from './read-log.js'
import { countKeys } from './remaining-counts.js'
import { SpaceGuard } from './space-guard.js'

/** Metadata stored beside the data. A replica that is being filled has no source yet. */
const notes = { source: 'source', lastKey: 'last key' }

export interface LmdbReplicaOptions {
  readonly environment: Environment
  readonly source: string
  readonly now: () => number
  readonly warn: (message: string) => void
  /** Releases the files, to be kept or removed. */
  readonly release: (areKept: boolean) => Promise<void>
}

/** The source of the replica, if it is complete. */
export const sourceOf = (environment: Environment): string | undefined => environment.readNote(notes.source)

/** A replica in the layout of the embedded store, and read by its code. Revisions that changed nothing here have no log entry. */
export class LmdbReplica implements StoreReplica {
  readonly #options: LmdbReplicaOptions
  readonly #environment: Environment
  readonly #space: SpaceGuard
  readonly #compaction: Compaction
  readonly #lists: ListSources
  #state: State
  #isFilled: boolean
  #lastKey: string | undefined
  #closing: Promise<void> | undefined

  constructor(options: LmdbReplicaOptions) {
    const { environment, source, now, warn } = options
    this.#options = options
    this.#environment = environment
    this.#space = new SpaceGuard(environment, undefined)
    // Not by age: its source decides what is compacted.
    this.#compaction = new Compaction({ environment, historyMs: Number.POSITIVE_INFINITY, now, warn })
    this.#lists = listSourcesOf(environment)
    this.#state = environment.readState()
    this.#isFilled = sourceOf(environment) === source
    this.#lastKey = environment.readNote(notes.lastKey)
  }

  get revision(): Revision {
    return this.#isFilled ? this.#state.revision : 0
  }
  get compactedRevision(): Revision {
    return this.#state.compacted
  }
  get lastKey(): string | undefined {
    return this.#lastKey
  }

  get(key: string): StoredObject | undefined {
    this.#checkOpen()
    if (isTooLong(key)) return undefined
    const record = copyOf(this.#environment.current.getBinaryFast(key))
    return record && storedObject(key, record)
  }

  list(request: ListRequest): ListPage {
    this.#checkOpen()
    const { revision: newest, compacted } = this.#state
    const revision = request.revision ?? newest
    if (revision < compacted) throw new CompactedError(compacted)
    if (revision > newest) throw new StorageError('unavailable', `revision ${revision} is after the newest, ${newest}`)
    return { revision, items: { [Symbol.asyncIterator]: () => new ListReader(this.#lists, request, revision) } }
  }

  count(prefix: string): number {
    this.#checkOpen()
    return countKeys(this.#environment, firstRange({ prefix }))
  }

  history(prefix: string, from: Revision, to: Revision): Iterable<StoreEvent> {
    this.#checkOpen()
    const { revision, compacted } = this.#state
    if (from < compacted) throw new CompactedError(compacted)
    return readHistory(this.#environment, Buffer.from(prefix), from, Math.min(to, revision))
  }

  apply(changes: readonly ReplicatedChange[], revision: Revision): void {
    this.#checkOpen()
    const { revision: before } = this.#state
    if (revision <= before) return
    const news = changes.filter(change => change.revision > before)
    this.#reserve(news)
    this.#change(() => {
      const prepared = this.#prepare(news)
      for (const write of prepared) applyWrite(this.#environment, write)
      const { compacted } = this.#environment.readState()
      this.#environment.writeState({ revision, compacted })
      // The log has one change per revision. A revision that changed several keys was written by another program.
      if (prepared.length < news.length) this.#applyTogether(news, revision)
      const last = news.at(-1)
      if (last !== undefined) this.#noteLast(last.key)
    })
  }

  fill(objects: readonly ReplicatedObject[]): void {
    this.#checkOpen()
    this.#reserve(objects)
    this.#change(() => {
      for (const { key, body, attributes, modRevision } of objects) {
        this.#environment.current.putSync(key, encodeRecord(body, attributes, modRevision))
      }
    })
  }
  filled(revision: Revision): void {
    this.#checkOpen()
    this.#change(() => {
      this.#environment.forgetHistory(revision)
      this.#environment.writeNote(notes.source, this.#options.source)
    })
    this.#isFilled = true
  }

  async compact(revision: Revision): Promise<void> {
    this.#checkOpen()
    await this.#compaction.compactTo(Math.min(revision, this.#state.revision))
    if (this.#closing === undefined) this.#state = this.#environment.readState()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close(true)
    return this.#closing
  }
  discard(): Promise<void> {
    this.#closing ??= this.#close(false)
    return this.#closing
  }
  async #close(areKept: boolean): Promise<void> {
    await this.#compaction.stop()
    await this.#options.release(areKept)
  }

  /** Changes of different revisions, each checked against what is there; fewer than given if a revision comes twice. */
  #prepare(changes: readonly ReplicatedChange[]): PreparedWrite[] {
    if (changes.some((change, index) => change.revision === changes[index + 1]?.revision)) return []
    const time = this.#options.now()
    const pending = new Map<string, PreparedWrite>()
    return changes.map(change => {
      const { key, revision, replaces } = change
      const earlier = pending.get(key)
      const stored = earlier === undefined ? this.#stored(key) : earlier.record
      const held = stored === undefined ? 0 : modRevisionOf(stored)
      if ((replaces !== undefined && replaces !== held) || (change.body === undefined && stored === undefined)) {
        throw misfit(change, held)
      }
      const write = prepareWrite(change, stored, revision, time)
      pending.set(key, write)
      return write
    })
  }
  /** Without history, which cannot represent them. */
  #applyTogether(changes: readonly ReplicatedChange[], revision: Revision): void {
    const { current } = this.#environment
    for (const { key, body, attributes, revision: at } of changes) {
      if (body === undefined) current.removeSync(key)
      else current.putSync(key, encodeRecord(body, attributes ?? Buffer.alloc(0), at))
    }
    this.#environment.forgetHistory(revision)
  }

  /** The part of lmdb's shared buffer that counts; the next read overwrites it. */
  #stored(key: string): Buffer | undefined {
    const shared = this.#environment.current.getBinaryFast(key)
    return shared?.subarray(0, shared.length)
  }
  #noteLast(key: string): void {
    this.#environment.writeNote(notes.lastKey, key)
    this.#lastKey = key
  }
  #reserve(written: readonly { readonly key: string; readonly body: Buffer | undefined }[]): void {
    let bytes = 0
    for (const { key, body } of written) {
      checkBodySize(key, body)
      bytes += body?.length ?? 0
    }
    this.#space.check(bytes)
  }
  #change(change: () => void): void {
    this.#environment.transactionNow(change)
    this.#state = this.#environment.readState()
  }
  #checkOpen(): void {
    if (this.#closing !== undefined) throw new StorageError('unavailable', 'the replica is closed')
  }
}

const misfit = ({ key, revision, replaces }: ReplicatedChange, held: Revision) =>
  new StorageError(
    'corrupt',
    `the change of ${key} at revision ${revision} follows revision ${replaces ?? 'unknown'}, and the replica has ${held}`,
  )
