/** Smaller groups are not worth a commit of their own. */
const smallestGroup = 8

interface Beginning {
  readonly promise: Promise<void>
  readonly resolve: () => void
  isAwaited: boolean
}

/**
 * Keeps the processor and the disk busy at the same time. Otherwise all writers end up in one group: they are answered
 * together, write again together, are prepared while the disk is idle, and then wait for the disk together. So when
 * half of them have handed in their writes and a transaction is about to begin, the others wait for the moment that
 * takes, and are prepared while the first half is committed. On a disk that is slower than preparing all of them one
 * group is better. Without it creates by 64 clients take 17 % more CPU and 30 % more time (`npm run bench:compare --
 * --only create-c64`).
 */
export class CommitPacer {
  readonly #now: () => number
  /** A transaction that was asked for and has not begun. */
  #beginning: Beginning | undefined
  #committing = 0
  /** The most unanswered writes at a time since the last group was taken, and before that. */
  #most = 0
  #writers = 0
  /** When the next group began to be prepared, and when the last write of it was handed in. */
  #preparedFrom: number | undefined
  #preparedTo = 0
  #takenAt = 0
  /** How long it took to prepare a write of the last group, and to commit the group before it. */
  #prepareMs = 0
  #commitMs = Number.POSITIVE_INFINITY

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** A write was queued; `waiting` is the number of queued writes. */
  queued(count: number): void {
    this.#preparedTo = this.#now()
    this.#preparedFrom ??= this.#preparedTo
    this.#most = Math.max(this.#most, this.#committing + count)
  }

  /** A transaction was requested. */
  asked(): void {
    let resolve = () => {}
    const promise = new Promise<void>(done => {
      resolve = done
    })
    this.#beginning = { promise, resolve, isAwaited: false }
  }

  /** The transaction has begun, with this many writes. */
  taken(count: number): void {
    this.#takenAt = this.#now()
    this.#prepareMs = (this.#preparedTo - (this.#preparedFrom ?? this.#preparedTo)) / count
    this.#writers = this.#most
    this.#most = count
    this.#committing = count
    this.#begun()
  }

  /** It is over, or could not begin. */
  ended(): void {
    if (this.#committing > 0) this.#commitMs = this.#now() - this.#takenAt
    this.#committing = 0
    this.#begun()
  }

  /** What a writer should wait for before it prepares its object, given the number of queued writes. */
  turn(queued: number): Promise<void> | undefined {
    if (!this.#beginning || queued < smallestGroup || queued < this.#writers / 2) return undefined
    if (this.#commitMs >= this.#writers * this.#prepareMs) return undefined
    this.#beginning.isAwaited = true
    return this.#beginning.promise
  }

  #begun(): void {
    const beginning = this.#beginning
    if (!beginning) return
    this.#beginning = undefined
    // Waiting writers are prepared now; others when they arrive.
    this.#preparedFrom = beginning.isAwaited ? this.#now() : undefined
    // Deferred: the transaction continues when the caller returns, and promise callbacks would run before that.
    setImmediate(beginning.resolve)
  }
}
