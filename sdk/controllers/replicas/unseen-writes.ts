import type { Cache } from '../../plugin/caches.js'
import type { ApiObject } from '../../resource/meta.js'

/** How long to wait for the event of a write, which may never come, for example if the object was replaced. */
const maxWaitMs = 30_000

interface Unseen {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly isDeleted: boolean
  readonly at: number
}

/**
 * Objects that a loop has created or deleted and that its cache does not show yet. A loop that counts objects in a cache must
 * wait for them, or it creates too many.
 */
export class UnseenWrites {
  readonly #byKey = new Map<string, Unseen[]>()

  created(key: string, object: ApiObject, now: number): void {
    this.#add(key, object, now, false)
  }
  deleted(key: string, object: ApiObject, now: number): void {
    this.#add(key, object, now, true)
  }
  /** Is a write for this key not yet visible in the cache? */
  isWaiting(key: string, cache: Cache<ApiObject>, now: number): boolean {
    const left = (this.#byKey.get(key) ?? []).filter(
      write => now - write.at < maxWaitMs && !isSeen(write, cache.get(write.namespace, write.name)),
    )
    if (left.length === 0) this.#byKey.delete(key)
    else this.#byKey.set(key, left)
    return left.length > 0
  }
  forget(key: string): void {
    this.#byKey.delete(key)
  }

  #add(key: string, { metadata }: ApiObject, at: number, isDeleted: boolean): void {
    const { namespace = '', name = '', uid = '' } = metadata
    const known = this.#byKey.get(key)
    const write = { namespace, name, uid, isDeleted, at }
    if (known) known.push(write)
    else this.#byKey.set(key, [write])
  }
}

function isSeen({ uid, isDeleted }: Unseen, cached: ApiObject | undefined): boolean {
  if (!isDeleted) return cached !== undefined
  return cached?.metadata.uid !== uid || cached.metadata.deletionTimestamp !== undefined
}
