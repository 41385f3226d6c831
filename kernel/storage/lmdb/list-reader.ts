import { setImmediate as nextTurn } from 'node:timers/promises'
import { CompactedError, type ListChunk, type ListRequest, type Revision } from 'orch/sdk/host'
import { recordHeader } from '../revision.js'
import { AttributeIndexes, type CollectedIndex } from './attribute-indexes.js'
import { ChangesSince } from './changes-since.js'
import { ChunkBuilder } from './chunk-builder.js'
import type { Environment, ScannedKey } from './environment.js'
import { firstRange, type KeyRange, PastCursor, type PastVersions } from './past-cursor.js'
import { RemainingCounts } from './remaining-counts.js'
import { walkKeys } from './walk-keys.js'
import { type Offer, walkRevision } from './walk-revision.js'

export interface ListSources {
  readonly environment: Environment
  readonly builder: ChunkBuilder
  readonly counts: RemainingCounts
  readonly indexes: AttributeIndexes
}
export const listSourcesOf = (environment: Environment): ListSources => ({
  environment,
  builder: new ChunkBuilder(environment.limits.chunkBytes),
  counts: new RemainingCounts(environment),
  indexes: new AttributeIndexes(environment),
})

/** Reads a list chunk by chunk. Every chunk reads a snapshot of its own, in one go, and sees the same revision in it. */
export class ListReader implements AsyncIterator<ListChunk> {
  readonly #sources: ListSources
  readonly #request: ListRequest
  readonly #revision: Revision
  readonly #limit: number
  readonly #changes: ChangesSince
  readonly #views: AttributeViews | undefined
  #range: KeyRange | undefined
  #taken = 0
  #hasStarted = false
  /** The index that this list fills. */
  #collected: CollectedIndex | undefined

  constructor(sources: ListSources, request: ListRequest, revision: Revision) {
    this.#sources = sources
    this.#request = request
    this.#revision = revision
    this.#limit = request.limit || Number.POSITIVE_INFINITY
    this.#views = request.filter && new AttributeViews(request.filter)
    this.#changes = new ChangesSince(sources.environment, request.prefix, revision)
    this.#range = firstRange(request)
  }

  async next(): Promise<IteratorResult<ListChunk, undefined>> {
    while (this.#range !== undefined) {
      // Yields to the event loop between chunks; the first is returned immediately.
      if (this.#hasStarted) await nextTurn()
      else if (this.#request.filter?.lookups)
        this.#collected = await this.#sources.indexes.prepare(this.#request, this.#revision)
      this.#hasStarted = true
      const chunk = this.#read(this.#range)
      if (chunk !== undefined) return { done: false, value: chunk.more ? await this.#withRemaining(chunk) : chunk }
    }
    return { done: true, value: undefined }
  }

  #read(range: KeyRange): ListChunk | undefined {
    const { environment, builder, indexes } = this.#sources
    const candidates = indexes.candidates(this.#request)
    // Another list has filled it meanwhile.
    if (candidates) this.#collected = undefined
    const index = this.#collected?.index
    const views = this.#views
    const limit = this.#limit
    const lastKey = new KeyMemory()
    const keys: string[] | undefined = this.#request.keys ? [] : undefined
    const { isUsual } = this.#request
    let otherAttributes: Map<number, Buffer> | undefined
    let hasMore = false
    let taken = this.#taken
    builder.begin()
    const offer: Offer = (value, start, end, key) => {
      if (taken === limit) {
        hasMore = true
        return false
      }
      const bodyStart = start + recordHeader + value.readUInt32BE(start + 8)
      index?.visit(key, value, start + recordHeader, bodyStart)
      if (views !== undefined && !views.match(value, start + recordHeader, bodyStart)) return true
      if (isUsual !== undefined && !isUsual(value, start + recordHeader, bodyStart)) {
        otherAttributes ??= new Map()
        otherAttributes.set(builder.count, Buffer.from(value.subarray(start + recordHeader, bodyStart)))
      }
      builder.add(value, bodyStart, end)
      taken++
      lastKey.remember(key)
      keys?.push(key.bytes.toString('utf8', key.start, key.end))
      return taken === limit || !builder.isFull
    }
    let rest: KeyRange | undefined = range
    do {
      const pasts = this.#pastVersions(rest)
      const resume: Buffer | undefined = candidates
        ? walkKeys(environment, candidates, rest, this.#revision, pasts, offer)
        : walkRevision(environment, rest, this.#revision, pasts, offer)
      rest = resume && { ...range, start: resume, isAfterStart: true }
      // The chunk that reaches the limit must report whether there is more, so it continues until that is known.
    } while (taken === limit && !hasMore && rest !== undefined)
    this.#taken = taken
    this.#range = hasMore ? undefined : rest
    if (this.#collected && rest === undefined && !hasMore) indexes.adopt(this.#collected)
    if (builder.count === 0) return undefined
    const chunk = builder.finish(lastKey.text(), hasMore)
    if (keys === undefined && otherAttributes === undefined) return chunk
    return { ...chunk, ...(keys ? { keys } : {}), ...(otherAttributes ? { otherAttributes } : {}) }
  }

  /** Undefined when nothing has been written since the revision of the list. */
  #pastVersions(range: KeyRange): PastVersions | undefined {
    const { environment } = this.#sources
    const { revision: newest, compacted } = environment.readState()
    if (this.#revision < compacted) throw new CompactedError(compacted)
    if (newest === this.#revision) return undefined
    return this.#changes.upTo(newest, range) ?? new PastCursor(environment, range, this.#revision)
  }

  async #withRemaining(chunk: ListChunk): Promise<ListChunk> {
    const { prefix, after, filter } = this.#request
    if (filter !== undefined) return chunk
    const { counts } = this.#sources
    const place = { prefix, revision: this.#revision }
    const remaining = await counts.after({ ...place, key: chunk.lastKey }, { ...place, key: after ?? '' }, this.#taken)
    return { ...chunk, remaining }
  }
}

/** Keeps the bytes of the last key: making a string of every key would cost more than copying the bodies. */
class KeyMemory {
  static readonly #bytes = Buffer.allocUnsafeSlow(2048)
  #length = 0

  remember({ bytes, start, end }: ScannedKey): void {
    const into = KeyMemory.#bytes
    let length = 0
    for (let position = start; position < end; position++) into[length++] = bytes[position]!
    this.#length = length
  }
  text(): string {
    return KeyMemory.#bytes.toString('utf8', 0, this.#length)
  }
}

/** Shows attributes to a filter without making a view for each item: lmdb reads into one buffer, so places recur. */
class AttributeViews {
  readonly #filter: (attributes: Buffer) => boolean
  #memory: ArrayBufferLike | undefined
  #views: Buffer[] = []

  constructor(filter: (attributes: Buffer) => boolean) {
    this.#filter = filter
  }

  match(value: Buffer, start: number, end: number): boolean {
    // Only records of current start at the beginning of the buffer; those of the log lie anywhere.
    if (start !== recordHeader) return this.#filter(value.subarray(start, end))
    if (value.buffer !== this.#memory) {
      this.#memory = value.buffer
      this.#views = []
    }
    const length = end - start
    return this.#filter((this.#views[length] ??= value.subarray(start, end)))
  }
}
