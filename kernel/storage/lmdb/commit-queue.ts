import { type Revision, StorageError, type Write, type WriteResult } from 'orch/sdk/host'
import { bodyOf, isBody, isTooLong, maxKeyBytes, modRevisionOf, storedObject } from '../revision.js'
import { CommitPacer } from './commit-pacer.js'
import type { Environment } from './environment.js'
import { applyWrite, CommittedEvent, checkBodySize, type PreparedWrite, prepareWrite } from './prepare-write.js'

/**
 * The result of a write that a later one may build on. Stored on the write itself: a WeakMap of all writes is expensive
 * for the garbage collector.
 */
const committedAt = Symbol('committed at')
interface Done extends Write {
  [committedAt]?: Revision
}
interface QueuedWrite {
  readonly write: Write
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: unknown) => void
}
interface Batch {
  readonly writes: readonly QueuedWrite[]
  readonly results: readonly (WriteResult | { readonly error: unknown })[]
  readonly prepared: readonly PreparedWrite[]
}

export interface CommitQueueOptions {
  readonly environment: Environment
  readonly now: () => number
  /** Called with the events of a commit, in order, before its writers are answered. */
  readonly committed: (events: readonly CommittedEvent[]) => void
  /** Throws if there is no space for this much more data; undefined for a delete, which frees space. */
  readonly checkSpace: (bytes: number | undefined) => void
  /** Called when a commit failed. */
  readonly commitFailed: (error: unknown) => void
}

/** No key ever has this revision: a write that builds on a failed one fails as well. */
const failedWrite: Revision = -1

/** Group commit: everything that is queued when a transaction begins is committed by it, and then answered together. */
export class CommitQueue {
  readonly #options: CommitQueueOptions
  readonly #pace = new CommitPacer()
  #queue: QueuedWrite[] = []
  #running: Promise<void> | undefined
  #isClosed = false

  constructor(options: CommitQueueOptions) {
    this.#options = options
  }

  write(write: Write): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw new StorageError('unavailable', 'the store is closed')
      checkWrite(write)
      this.#options.checkSpace(write.body?.length)
      this.#queue.push({ write, resolve, reject })
      this.#pace.queued(this.#queue.length)
      this.#running ??= this.#run()
    })
  }

  /** What a writer should wait for before it begins. */
  turn(): Promise<void> | undefined {
    return this.#pace.turn(this.#queue.length)
  }

  /** Rejects new writes and waits for pending ones. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
  }

  async #run(): Promise<void> {
    const { environment, committed } = this.#options
    while (this.#queue.length > 0) {
      let taken: readonly QueuedWrite[] = []
      this.#pace.asked()
      try {
        const { writes, results, prepared } = await environment.transaction(() => {
          taken = this.#take()
          this.#pace.taken(taken.length)
          return this.#commit(taken)
        })
        this.#pace.ended()
        committed(prepared.map(eventOf))
        writes.forEach((queued, index) => {
          const result = results[index]!
          if ('error' in result) queued.reject(result.error)
          else queued.resolve(result)
        })
      } catch (error) {
        // A transaction that could not begin has taken no writes: fail the queued ones, or they would wait forever.
        const failed = taken.length > 0 ? taken : this.#take()
        this.#pace.ended()
        this.#options.commitFailed(error)
        for (const queued of failed) queued.reject(error)
      }
    }
    this.#running = undefined
  }

  #take(): readonly QueuedWrite[] {
    const { writesPerCommit, bytesPerCommit } = this.#options.environment.limits
    let bytes = 0
    let count = 0
    for (const { write } of this.#queue) {
      bytes += (write.body?.length ?? 0) + (write.lastBody?.length ?? 0)
      if (count === writesPerCommit || (bytes > bytesPerCommit && count > 0)) break
      count++
    }
    return this.#queue.splice(0, count)
  }

  #commit(writes: readonly QueuedWrite[]): Batch {
    const { environment, now } = this.#options
    const { current } = environment
    const state = environment.readState()
    const time = now()
    const prepared: PreparedWrite[] = []
    // Nothing is put before all are checked, so later writes of the batch must see earlier ones here.
    const pending = new Map<string, PreparedWrite>()
    let revision = state.revision

    const results = writes.map(({ write }) => {
      try {
        const { key, body } = write
        const expect = write.after === undefined ? write.expect : ((write.after as Done)[committedAt] ?? failedWrite)
        const earlier = pending.get(key)
        // The part of lmdb's shared buffer that counts; the next read overwrites it.
        const shared = earlier === undefined ? current.getBinaryFast(key) : undefined
        const stored = earlier === undefined ? shared?.subarray(0, shared.length) : earlier.record
        const isExpected = expect === undefined || expect === (stored === undefined ? 0 : modRevisionOf(stored))
        if (!isExpected || (body === undefined && stored === undefined)) {
          return { ok: false, current: stored && storedObject(key, Buffer.from(stored)) } as const
        }
        const next = prepareWrite(write, stored, revision + 1, time)
        revision++
        prepared.push(next)
        pending.set(key, next)
        ;(write as Done)[committedAt] = revision
        return { ok: true, revision, body: next.record && bodyOf(next.record) } as const
      } catch (error) {
        return { error }
      }
    })

    if (prepared.length > 0) {
      for (const write of prepared) applyWrite(environment, write)
      environment.writeState({ ...state, revision })
    }
    return { writes, results, prepared }
  }
}

const eventOf = ({ revision, type, key, shown, previous }: PreparedWrite): CommittedEvent =>
  new CommittedEvent(revision, type, key, shown, previous)

function checkWrite({ key, body, lastBody }: Write): void {
  if (key === '' || key.includes('\x00')) throw new Error('a key must not be empty or contain the character 0')
  if (isTooLong(key)) {
    throw new StorageError('tooLarge', `the key is longer than ${maxKeyBytes} bytes`)
  }
  for (const bytes of [body, lastBody]) {
    if (bytes === undefined) continue
    checkBodySize(key, bytes)
    if (!isBody(bytes)) throw new Error(`the body of ${key} does not begin with its metadata`)
  }
}
