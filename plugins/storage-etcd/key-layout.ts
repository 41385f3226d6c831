/**
 * The keys in etcd, for the prefix /registry and an object with the key /apps/x:
 *
 *   /registry/objects/apps/x   the object
 *   /registry/state/last       the last state of the object deleted most recently, written in the same transaction
 *   /registry/state/compact    the revision that history was last compacted to
 *   /registry/state/mark       a marker for the watch, never read
 *   /registry/state/begin      nothing; the store has no history before the revision of this key
 *   /registry/claims/NAME      the key of the object that has an exclusive name
 */
export class KeyLayout {
  readonly last: Buffer
  readonly compact: Buffer
  readonly mark: Buffer
  readonly begin: Buffer
  /** All keys of this store, for the watch. */
  readonly all: KeyRange
  readonly #objects: string
  readonly #claims: string

  constructor(prefix: string) {
    this.#objects = `${prefix}/objects`
    this.#claims = `${prefix}/claims/`
    this.last = Buffer.from(`${prefix}/state/last`)
    this.compact = Buffer.from(`${prefix}/state/compact`)
    this.mark = Buffer.from(`${prefix}/state/mark`)
    this.begin = Buffer.from(`${prefix}/state/begin`)
    const start = Buffer.from(`${prefix}/`)
    this.all = { start, end: prefixEnd(start) }
  }

  objectKey = (key: string): Buffer => Buffer.from(this.#objects + key)
  claimKey = (name: string): Buffer => Buffer.from(this.#claims + name)
  /** The key of an object; undefined if the bytes are not the key of an object. */
  keyOf(bytes: Buffer): string | undefined {
    const text = bytes.toString()
    return text.startsWith(this.#objects) ? text.slice(this.#objects.length) : undefined
  }
  objectsBelow(prefix: string): KeyRange {
    const start = this.objectKey(prefix)
    return { start, end: prefixEnd(start) }
  }
}

/** From `start`, inclusive, to `end`, exclusive. */
export interface KeyRange {
  readonly start: Buffer
  readonly end: Buffer
}

/** The end of all keys that start with a prefix. UTF-8 has no FF, so one step is enough. */
function prefixEnd(prefix: Buffer): Buffer {
  const end = Buffer.from(prefix)
  end[end.length - 1]! += 1
  return end
}
/** The first key after this one. */
export const keyAfter = (key: Buffer): Buffer => Buffer.concat([key, Buffer.of(0)])
