import type { StoredObject } from 'orch/sdk/host'
import type { CollectionKeys } from './key-ring.js'

/** The size of the cache, in bytes of bodies and attributes. */
const maxBytes = 2 * 2 ** 20
/** A larger object would evict many. */
const maxBytesEach = 32 * 1024

interface Kept {
  readonly keys: CollectionKeys
  readonly object: StoredObject
  readonly bytes: number
}

/**
 * A cache of decrypted objects: creating a cipher costs more than everything else in a read of one object. An entry is
 * valid for one version of its object and for the keys that decrypted it, so that no stale object is returned, and none that a new
 * configuration cannot decrypt.
 */
export class OpenedObjects {
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  /** The cached object of this version, as a copy. */
  find(keys: CollectionKeys, { key, modRevision }: StoredObject): StoredObject | undefined {
    const kept = this.#kept.get(key)
    if (kept?.object.modRevision !== modRevision || kept.keys !== keys) return undefined
    return copyOf(kept.object)
  }

  keep(keys: CollectionKeys, object: StoredObject): void {
    this.#forget(object.key)
    const bytes = object.body.length + object.attributes.length
    if (bytes > maxBytesEach) return
    this.#kept.set(object.key, { keys, object: copyOf(object), bytes })
    this.#bytes += bytes
    for (const key of this.#kept.keys()) {
      if (this.#bytes <= maxBytes) break
      this.#forget(key)
    }
  }

  #forget(key: string): void {
    const kept = this.#kept.get(key)
    if (kept && this.#kept.delete(key)) this.#bytes -= kept.bytes
  }
}

const copyOf = (object: StoredObject): StoredObject => ({
  ...object,
  body: Buffer.from(object.body),
  attributes: Buffer.from(object.attributes),
})
