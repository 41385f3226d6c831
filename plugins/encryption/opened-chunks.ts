import { isPromise } from 'orch/sdk'
import { bodiesOf, type ListChunk, type ListPage, type ListRequest, StorageError } from 'orch/sdk/host'
import { isEncryptedMark, type Opened, openBody } from './envelope.js'
import type { KeyRing } from './key-ring.js'

/** The request to the engine. Filters need attributes, which are encrypted, so they are applied here. */
export function chunkRequest({ filter, isUsual, limit, onUnreadable: _, ...request }: ListRequest): ListRequest {
  const needsAttributes = filter !== undefined || isUsual !== undefined
  const isEncrypted = (bytes: Buffer, start: number, end: number) => isEncryptedMark(bytes.subarray(start, end))
  return {
    ...request,
    keys: true,
    ...(needsAttributes ? { isUsual: isEncrypted } : {}),
    ...(limit === undefined || filter !== undefined ? {} : { limit }),
  }
}

const comma = Buffer.from(',')
const nothing = Buffer.alloc(0)

/** Builds a chunk of the objects that are decrypted and selected. */
class ChunkBuilder {
  readonly #isUsual: ListRequest['isUsual']
  readonly #parts: Buffer[] = []
  readonly #offsets: number[] = []
  readonly #keys: string[] = []
  readonly #otherAttributes = new Map<number, Buffer>()
  readonly #converted = new Set<number>()
  #length = 0

  constructor(isUsual: ListRequest['isUsual']) {
    this.#isUsual = isUsual
  }
  get count(): number {
    return this.#offsets.length
  }
  add(key: string, { body, attributes = nothing, isOutdated }: Opened): void {
    const place = this.count
    if (place > 0) this.#parts.push(comma)
    const offset = place > 0 ? this.#length + 1 : 0
    this.#offsets.push(offset)
    this.#parts.push(body)
    this.#length = offset + body.length
    this.#keys.push(key)
    if (isOutdated) this.#converted.add(place)
    if (this.#isUsual && !this.#isUsual(attributes, 0, attributes.length)) this.#otherAttributes.set(place, attributes)
  }
  finish(request: ListRequest, rest: Pick<ListChunk, 'more' | 'remaining'>): ListChunk {
    return {
      joined: Buffer.concat(this.#parts),
      count: this.count,
      offsets: this.#offsets,
      lastKey: this.#keys.at(-1)!,
      ...rest,
      ...(request.keys ? { keys: this.#keys } : {}),
      ...(this.#otherAttributes.size > 0 ? { otherAttributes: this.#otherAttributes } : {}),
      ...(this.#converted.size > 0 ? { converted: this.#converted } : {}),
    }
  }
}

/** The chunks of a list, decrypted, one at a time. */
export async function* openedChunks(
  items: ListPage['items'],
  request: ListRequest,
  ring: KeyRing,
): AsyncGenerator<ListChunk> {
  const { filter, isUsual } = request
  const limit = (filter && request.limit) || Number.POSITIVE_INFINITY
  let taken = 0
  /** The chunk that reached the limit waits until it is known whether there is more. */
  let last: ChunkBuilder | undefined
  for await (const chunk of items) {
    const builder = new ChunkBuilder(isUsual)
    let place = -1
    for (const body of bodiesOf(chunk)) {
      const key = chunk.keys![++place]!
      let object: Opened
      try {
        const opened = openListed(ring, key, body, chunk.otherAttributes?.get(place))
        object = isPromise(opened) ? await opened : opened
      } catch (error) {
        if (request.onUnreadable === undefined || !(error instanceof StorageError)) throw error
        request.onUnreadable(key, error)
        continue
      }
      if (filter && !filter(object.attributes ?? nothing)) continue
      if (taken === limit) return yield (last ?? builder).finish(request, { more: true })
      builder.add(key, object)
      taken++
    }
    if (builder.count === 0) continue
    if (taken < limit) yield builder.finish(request, { more: chunk.more, ...remainingOf(chunk) })
    else last = builder
  }
  if (last) yield last.finish(request, { more: false })
}

const remainingOf = ({ remaining }: ListChunk) => (remaining === undefined ? {} : { remaining })

function openListed(
  ring: KeyRing,
  key: string,
  body: Buffer,
  attributes: Buffer | undefined,
): Opened | Promise<Opened> {
  const keys = ring.of(key)
  return keys === undefined ? { body, attributes, isOutdated: false } : openBody(keys, key, body, attributes)
}
