import type { ListChunk, ListRequest, Revision } from 'orch/sdk'
import { type KeyLayout, type KeyRange, keyAfter } from './key-layout.js'
import { type KeyValue, type RangeRequest, type RangeResponse, toNumber } from './protocol.js'
import { attributesOf, shownBody } from './record.js'

/** Few keys at first, since their size is not known; then as many as make a page of this size. */
const firstPageKeys = 100
const pageBytes = 2 ** 20
const maxPageKeys = 1000
const minPageKeys = 10
const comma = 0x2c

export type ReadRange = (request: RangeRequest) => Promise<RangeResponse>

/** Reads a list page by page, all at the revision of the first one. A page of etcd becomes a chunk. */
export class ListReader {
  readonly #readRange: ReadRange
  readonly #layout: KeyLayout
  readonly #request: ListRequest
  readonly #limit: number
  #range: KeyRange
  #pageKeys = firstPageKeys
  #taken = 0

  constructor(readRange: ReadRange, layout: KeyLayout, request: ListRequest) {
    this.#readRange = readRange
    this.#layout = layout
    this.#request = request
    this.#limit = request.limit || Number.POSITIVE_INFINITY
    const range = layout.objectsBelow(request.prefix)
    const after = request.after === undefined ? undefined : keyAfter(layout.objectKey(request.after))
    this.#range = after && after.compare(range.start) > 0 ? { ...range, start: after } : range
  }

  readPage(revision: Revision | undefined): Promise<RangeResponse> {
    const { start: key, end: rangeEnd } = this.#range
    // With a filter nobody knows how many candidates the limit takes.
    const wanted = this.#request.filter === undefined ? this.#limit - this.#taken : this.#pageKeys
    const limit = Math.min(this.#pageKeys, wanted)
    return this.#readRange({ key, rangeEnd, limit, ...(revision === undefined ? {} : { revision }) })
  }

  async *chunks(first: RangeResponse, revision: Revision): AsyncGenerator<ListChunk, void> {
    for (let page = first; page.kvs.length > 0; ) {
      const { chunk, isLast } = this.#chunkOf(page)
      if (chunk !== undefined) yield chunk
      if (isLast) return
      this.#range = { ...this.#range, start: keyAfter(page.kvs.at(-1)!.key) }
      page = await this.readPage(revision)
    }
  }

  #chunkOf(page: RangeResponse): { chunk: ListChunk | undefined; isLast: boolean } {
    const { filter, keys } = this.#request
    const taken: KeyValue[] = []
    let looked = 0
    for (const item of page.kvs) {
      if (this.#taken === this.#limit) break
      looked++
      if (filter !== undefined && !filter(attributesOf(item.value))) continue
      taken.push(item)
      this.#taken++
    }
    this.#adaptPageSize(page.kvs)
    const isFull = this.#taken === this.#limit
    const more = isFull && (looked < page.kvs.length || page.more)
    const isLast = isFull || !page.more
    const last = taken.at(-1)
    if (last === undefined) return { chunk: undefined, isLast }
    const joined = join(taken)
    const remaining = more && filter === undefined ? { remaining: toNumber(page.count) - looked } : {}
    const keyOf = (item: KeyValue): string => this.#layout.keyOf(item.key) ?? ''
    const named = keys ? { keys: taken.map(keyOf) } : {}
    return { chunk: { ...joined, ...named, lastKey: keyOf(last), more, ...remaining }, isLast }
  }

  #adaptPageSize(items: readonly KeyValue[]): void {
    const bytes = items.reduce((sum, { value }) => sum + value.length, 0)
    const fitting = Math.floor((pageBytes * items.length) / Math.max(bytes, 1))
    this.#pageKeys = Math.min(maxPageKeys, Math.max(minPageKeys, fitting))
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
