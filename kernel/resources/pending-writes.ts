import { ShortLivedEntries, type Store, type Write, type WriteResult } from 'orch/sdk/host'

/** A write of a key that has been handed to the store and not been answered yet. */
export interface PendingWrite {
  readonly write: Write
  /** The version the key had when the first of these writes was made: the newest a client can have seen. */
  readonly committedVersion: string
  readonly result: Promise<WriteResult>
}

/**
 * The newest unanswered write of every key. The next change of a hot object builds on it instead of waiting for the disk,
 * so that many changes of one object share a commit.
 */
export class PendingWrites {
  readonly #newest = new ShortLivedEntries<PendingWrite>()

  /** What the next change of this key may build on; undefined when it must read the store. */
  find(store: Store, key: string): PendingWrite | undefined {
    return store.chains ? this.#newest.get(key) : undefined
  }

  /** Waits until nothing is pending for a key. */
  async settled(key: string): Promise<void> {
    for (let pending = this.#newest.get(key); pending; pending = this.#newest.get(key)) {
      await pending.result.catch(() => {})
    }
  }

  /** Hands a write to the store and remembers it until it is answered. */
  begin(store: Store, write: Write, committedVersion: string): Promise<WriteResult> {
    const result = store.write(write)
    const pending = { write, committedVersion, result }
    this.#newest.set(write.key, pending)
    const forget = () => {
      // Otherwise the changes of an object that never rests would hold each other, back to the first one.
      ;(write as { after?: Write | undefined }).after = undefined
      this.#newest.delete(write.key, pending)
    }
    result.then(forget, forget)
    return result
  }
}
