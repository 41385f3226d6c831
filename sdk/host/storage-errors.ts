import { recognizedAcrossCopies } from '../plugin/across-copies.js'

/** A failure of the engine that callers must handle. */
export class StorageError extends Error {
  /**
   * `unreadable` is about one object, which the message names, and is reported to clients; the rest of the store is intact. So is
   * `sealed`, where the key that an object needs cannot be asked for right now: the same request may succeed later.
   */
  readonly kind: 'full' | 'unavailable' | 'corrupt' | 'tooLarge' | 'unreadable' | 'sealed'
  /**
   * The revision of the unreadable object, set by its reader, so that a newer version of it is not deleted by mistake.
   */
  revision?: number
  constructor(kind: StorageError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageError'
    this.kind = kind
  }
}
recognizedAcrossCopies(StorageError, 'StorageError')
/** The requested revision is no longer kept. */
export class CompactedError extends Error {
  readonly oldest: number
  constructor(oldest: number) {
    super(`revisions before ${oldest} have been compacted`)
    this.name = 'CompactedError'
    this.oldest = oldest
  }
}
recognizedAcrossCopies(CompactedError, 'CompactedError')
