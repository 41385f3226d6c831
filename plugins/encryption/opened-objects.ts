import type { StoredObject } from 'orch/sdk/host'
import type { CollectionKeys } from './key-ring.js'

/** All that is kept, in bytes of bodies and attributes. */
const maxBytes = 2 * 2 ** 20
/** A larger one would push out many. */
const maxBytesEach = 32 * 1024

interface Kept {
  readonly keys: CollectionKeys
  readonly object: StoredObject
  readonly bytes: number
}

/**
 * Objects as they were last decrypted by a read: making a cipher costs more than all else that a read of one does. Each is
 * good for one version of its object and for the keys that opened it, so that nothing is shown that was replaced, or that a new
 * configuration does not open.
 */
export class OpenedObjects {
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  /** The object, if it is the one that was kept. Its bytes belong to the caller. */
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
