import type { ListChunk, ListRequest, Revision } from 'orch/sdk/host'
import { isAnswerTooLarge } from './etcd-errors.js'
import { type KeyLayout, type KeyRange, keyAfter } from './key-layout.js'
import { headerRevision, type KeyValue, type RangeRequest, type RangeResponse, toNumber } from './protocol.js'
import { attributesOf, shownBody } from './record.js'

/** The first page has few keys, while the size of objects is unknown; later ones as many as make a page of this size. */
const firstPageKeys = 16
const pageBytes = 2 ** 20
const maxPageKeys = 1000
/** Pages grow by at most this factor, since large objects may follow small ones; a page that was too large shrinks by it. */
const growth = 4
const comma = 0x2c

/** The page size of each collection, learned from earlier lists, so that lists of large objects do not start with large pages. */
export class PageSizes {
  static readonly #remembered = 1000
  readonly #keys = new Map<string, number>()

  of(prefix: string): number {
    return this.#keys.get(prefix) ?? firstPageKeys
  }
  learn(prefix: string, keys: number): void {
    if (this.#keys.has(prefix) || this.#keys.size < PageSizes.#remembered) this.#keys.set(prefix, keys)
  }
}

interface PageAsChunk {
  readonly chunk: ListChunk | undefined
  readonly isLast: boolean
}

/** Rejects with an error for which `isAnswerTooLarge` is true if the page exceeds the maximum size. */
export type ReadRange = (request: RangeRequest) => Promise<RangeResponse>

/** Reads a list in pages, all at the revision of the first. Each page becomes a chunk. */
export class ListReader {
  readonly #readRange: ReadRange
  readonly #layout: KeyLayout
  readonly #request: ListRequest
  readonly #limit: number
  #range: KeyRange
  readonly #sizes: PageSizes
  #pageKeys: number
  #page: RangeResponse | undefined
  #taken = 0

  constructor(readRange: ReadRange, layout: KeyLayout, sizes: PageSizes, request: ListRequest) {
    this.#readRange = readRange
    this.#sizes = sizes
    this.#pageKeys = sizes.of(request.prefix)
    this.#layout = layout
    this.#request = request
    this.#limit = request.limit || Number.POSITIVE_INFINITY
    const range = layout.objectsBelow(request.prefix)
    const after = request.after === undefined ? undefined : keyAfter(layout.objectKey(request.after))
    this.#range = after && after.compare(range.start) > 0 ? { ...range, start: after } : range
  }

  /** Reads the first page. Returns the revision of the list. */
  async open(): Promise<Revision> {
    const { revision } = this.#request
    this.#page = await this.#readPage(revision)
    return revision ?? headerRevision(this.#page)
  }

  async *chunks(revision: Revision): AsyncGenerator<ListChunk, void> {
    for (let isLast = false; !isLast; ) {
      const next = this.#takePage() ?? this.#chunkOf(await this.#readPage(revision))
      isLast = next.isLast
      if (next.chunk !== undefined) yield next.chunk
    }
  }

  /** Takes the first page as a chunk. The page itself is released, since the consumer may be slow. */
  #takePage(): PageAsChunk | undefined {
    const page = this.#page
    this.#page = undefined
    return page && this.#chunkOf(page)
  }

  async #readPage(revision: Revision | undefined): Promise<RangeResponse> {
    const { start: key, end: rangeEnd } = this.#range
    // With a filter it is unknown how many candidates are needed to reach the limit.
    const wanted = this.#request.filter === undefined ? this.#limit - this.#taken : maxPageKeys
    for (;;) {
      const limit = Math.min(this.#pageKeys, wanted)
      try {
        return await this.#readRange({ key, rangeEnd, limit, ...(revision === undefined ? {} : { revision }) })
      } catch (error) {
        if (limit === 1 || !isAnswerTooLarge(error)) throw error
        this.#setPageKeys(limit / growth)
      }
    }
  }

  #chunkOf(page: RangeResponse): PageAsChunk {
    const { filter, keys, isUsual } = this.#request
    const taken: KeyValue[] = []
    const otherAttributes = new Map<number, Buffer>()
    let looked = 0
    for (const item of page.kvs) {
      if (this.#taken === this.#limit) break
      looked++
      if (filter !== undefined && !filter(attributesOf(item.value))) continue
      if (isUsual !== undefined) {
        const attributes = attributesOf(item.value)
        if (!isUsual(attributes, 0, attributes.length)) otherAttributes.set(taken.length, Buffer.from(attributes))
      }
      taken.push(item)
      this.#taken++
    }
    if (page.kvs.length > 0) this.#range = { ...this.#range, start: keyAfter(page.kvs.at(-1)!.key) }
    this.#adaptPageSize(page.kvs)
    const isFull = this.#taken === this.#limit
    const more = isFull && (looked < page.kvs.length || page.more)
    const isLast = isFull || !page.more || page.kvs.length === 0
    const last = taken.at(-1)
    if (last === undefined) return { chunk: undefined, isLast }
    const joined = join(taken)
    const remaining = more && filter === undefined ? { remaining: toNumber(page.count) - looked } : {}
    const keyOf = (item: KeyValue): string => this.#layout.keyOf(item.key) ?? ''
    const named = keys ? { keys: taken.map(keyOf) } : {}
    const others = otherAttributes.size > 0 ? { otherAttributes } : {}
    return { chunk: { ...joined, ...named, ...others, lastKey: keyOf(last), more, ...remaining }, isLast }
  }

  #adaptPageSize(items: readonly KeyValue[]): void {
    if (items.length === 0) return
    const bytes = items.reduce((sum, { value }) => sum + value.length, 0)
    const fitting = (pageBytes * items.length) / Math.max(bytes, 1)
    this.#setPageKeys(Math.min(fitting, growth * Math.max(items.length, this.#pageKeys)))
  }
  #setPageKeys(keys: number): void {
    this.#pageKeys = Math.min(maxPageKeys, Math.max(1, Math.floor(keys)))
    this.#sizes.learn(this.#request.prefix, this.#pageKeys)
  }
}

function join(items: readonly KeyValue[]): Pick<ListChunk, 'joined' | 'count' | 'offsets'> {
  const bodies = items.map(({ value, modRevision }) => shownBody(value, toNumber(modRevision)))
  const joined = Buffer.allocUnsafe(bodies.reduce((sum, { length }) => sum + length + 1, -1))
  const offsets: number[] = []
  let at = 0
  for (const body of bodies) {
    if (at > 0) joined[at++] = comma
    offsets.push(at)
    body.into(joined, at)
    at += body.length
  }
  return { joined, count: items.length, offsets }
}
