import { ApiError } from '../resource/api-errors.js'
import { isPromise } from '../server/and-then.js'
import { ShortLivedEntries } from './short-lived-entries.js'
import type {
  Decide,
  Decision,
  KeyState,
  Revision,
  Store,
  StoredObject,
  TransactionResult,
  TransactOptions,
  Write,
  WriteResult,
} from './storage.js'

/** How the transactions of an engine are run. */
export interface TransactionOptions {
  /** `write` understands `after`: changes of one hot key share commits instead of waiting for each other. */
  readonly supportsChainedWrites?: boolean
  /**
   * A read with `notOlderThan` 0 is cheaper than one of the newest state and may miss what other servers committed. Writers then
   * begin with it; a write that was decided on an old state fails its precondition.
   */
  readonly hasStaleReads?: boolean
}

/** Where a transaction reads and writes: the engine, or the outermost layer above it. */
type View = Pick<Store, 'get' | 'write'>
type FailedWrite = WriteResult & { readonly ok: false }

/** A write that the store has not answered yet. */
interface PendingWrite {
  readonly write: Write
  /** The revision of the key when the first of these writes was made: the newest that a client can have read. */
  readonly committed: Revision
  readonly result: Promise<WriteResult>
}
/** A decision, and the state it is based on. */
interface Decided {
  readonly decision: Decision
  readonly found: StoredObject | undefined
  readonly pending: PendingWrite | undefined
}
/** Undefined when the key changed meanwhile and the writer has to decide again. */
type Outcome = TransactionResult | undefined

/** How often a writer decides again before it gives up. */
const maxAttempts = 20
const noRelease = (): void => {}

/**
 * Runs the transactions of a store: an engine makes one of these and calls `run` in its `transact`. Writers of one key take turns
 * within this process until their write is handed to the store, so that changes of a hot object queue up instead of failing and
 * repeating each other's work. Writers in other processes are caught by the precondition of the write.
 */
export class Transactions {
  readonly #options: TransactionOptions
  /** The writer of each key that came last; the next one waits for it. */
  readonly #turns = new ShortLivedEntries<Promise<void>>()
  /** The newest unanswered write of each key. */
  readonly #pending = new ShortLivedEntries<PendingWrite>()

  constructor(options: TransactionOptions = {}) {
    this.#options = options
  }

  run(store: View, key: string, decide: Decide, options: TransactOptions = {}): Promise<TransactionResult> {
    const { view = store, expect } = options
    return expect === undefined ? this.#run(view, key, decide) : writeUnread(view, key, decide, expect)
  }

  async #run(view: View, key: string, decide: Decide): Promise<TransactionResult> {
    const attempt = new Attempt()
    for (let count = 1; ; count++) {
      const written = await this.#inTurn(key, release => this.#attempt(view, key, decide, attempt, release))
      const outcome = await written.outcome
      if (outcome) return outcome
      if (count >= maxAttempts) return { ok: false, current: attempt.lost?.current }
    }
  }

  /**
   * Waits for the earlier writers of the key. `work` may call `release` to let the next one start before it is done.
   */
  async #inTurn<T>(key: string, work: (release: () => void) => Promise<T>): Promise<T> {
    const before = this.#turns.get(key)
    let admitNext = noRelease
    const mine = new Promise<void>(resolve => {
      admitNext = resolve
    })
    const release = () => {
      this.#turns.delete(key, mine)
      admitNext()
    }
    this.#turns.set(key, mine)
    if (before) await before
    try {
      return await work(release)
    } finally {
      release()
    }
  }

  /** Ends when the next writer may start: the outcome may still be on its way to the disk. */
  async #attempt(
    view: View,
    key: string,
    decide: Decide,
    attempt: Attempt,
    release: () => void,
  ): Promise<{ readonly outcome: Outcome | Promise<Outcome> }> {
    const { decision, found, pending } = await this.#decide(view, key, decide, attempt, release)
    const { write: change, followedBy } = decision
    if (!change) return { outcome: pending ? unchangedResult(pending) : keptResult(found) }
    const precondition = pending ? { after: pending.write } : { expect: found?.modRevision ?? 0 }
    const write: Write = { key, ...change, ...precondition }
    if (followedBy) return { outcome: await this.#writeTwice(view, write, followedBy, attempt) }
    const result = this.#begin(view, write, pending?.committed ?? found?.modRevision ?? 0)
    return { outcome: result.then(each => attempt.outcomeOf(each, decision, pending !== undefined)) }
  }

  async #decide(view: View, key: string, decide: Decide, attempt: Attempt, release: () => void): Promise<Decided> {
    const pending = this.#options.supportsChainedWrites ? this.#pending.get(key) : undefined
    const chained = pending?.write.body && (await decideOnPending(decide, key, pending, release))
    if (chained) return { decision: chained, found: undefined, pending }
    if (this.#pending.get(key)) await this.#settled(key)
    const { lost } = attempt
    const on = async (found: StoredObject | undefined): Promise<Decided> => {
      const deciding = decide({ object: found, isCommitted: true, release })
      return { decision: isPromise(deciding) ? await deciding : deciding, found, pending: undefined }
    }
    if (lost?.current) {
      attempt.lost = { ok: false, current: undefined }
      return on(lost.current)
    }
    const held = this.#options.hasStaleReads && !lost ? view.get(key, 0) : undefined
    const guess = isPromise(held) ? await held : held
    if (guess) return decideOnGuess(on, guess, () => view.get(key))
    const newest = view.get(key)
    // Awaited here because an async function that returns a promise takes three turns of the queue instead of one.
    return await on(isPromise(newest) ? await newest : newest)
  }

  /** Waits until no write of the key is pending. */
  async #settled(key: string): Promise<void> {
    for (let pending = this.#pending.get(key); pending; pending = this.#pending.get(key)) {
      await pending.result.catch(() => {})
    }
  }

  /** Passes a write to the store; the next writer may build on it until it is answered. */
  #begin(view: View, write: Write, committed: Revision): Promise<WriteResult> {
    const result = view.write(write)
    const pending = { write, committed, result }
    this.#pending.set(write.key, pending)
    const forget = () => {
      // Otherwise the writes of a key that is written all the time would keep each other alive, back to the first one.
      ;(write as { after?: Write | undefined }).after = undefined
      this.#pending.delete(write.key, pending)
    }
    result.then(forget, forget)
    return result
  }

  /** The result is that of the first write. */
  async #writeTwice(
    view: View,
    write: Write,
    second: NonNullable<Decision['followedBy']>,
    attempt: Attempt,
  ): Promise<Outcome> {
    const first = await view.write(write)
    if (!first.ok) return attempt.outcomeOf(first, {}, false)
    const last = await view.write({ key: write.key, ...second, expect: first.revision })
    if (last.ok) return { ok: true, isWritten: true, revision: last.revision, body: first.body }
    attempt.lost = { ok: false, current: undefined }
    return undefined
  }
}

/** The writer states the revision of the key: nothing is read, and no other writer is waited for. */
async function writeUnread(
  view: View,
  key: string,
  decide: Decide,
  expect: Revision | 'any',
): Promise<TransactionResult> {
  const deciding = decide({ object: undefined, isCommitted: true, release: noRelease })
  const { write } = isPromise(deciding) ? await deciding : deciding
  if (!write) return keptResult(undefined)
  return resultOf(await view.write({ key, ...write, ...(expect === 'any' ? {} : { expect }) }))
}

/** What a transaction keeps between attempts. */
class Attempt {
  /** The write that failed, with the state of the key that made it fail. */
  lost: FailedWrite | undefined

  outcomeOf(result: WriteResult, { isConditional }: Decision, isChained: boolean): Outcome {
    if (result.ok || isConditional || result.claimed !== undefined) return resultOf(result)
    // The state that made an earlier write of the chain fail is not the current state of the key.
    this.lost = isChained ? { ok: false, current: undefined } : result
    return undefined
  }
}

/** The writer's decision on the state that a pending write leads to; undefined if it needs a committed state. */
async function decideOnPending(
  decide: Decide,
  key: string,
  { write, committed, result }: PendingWrite,
  release: () => void,
): Promise<Decision | undefined> {
  const { body, attributes = noBytes } = write
  const state: KeyState = {
    object: { key, modRevision: committed, body: body!, attributes },
    isCommitted: false,
    release,
  }
  try {
    const decision = await decide(state)
    return decision.waitsForCommit ? undefined : decision
  } catch (error) {
    const written = await result.catch(() => undefined)
    if (written?.ok) throw error
    // The key never reached the state that the writer rejected.
    return undefined
  }
}
const noBytes = Buffer.alloc(0)

/**
 * Decides on a state that may be old. A write is right or fails its precondition; that there is nothing to write, or that the writer
 * refuses, is decided again if the state turns out not to have been the newest.
 */
async function decideOnGuess(
  on: (found: StoredObject | undefined) => Promise<Decided>,
  guess: StoredObject,
  readNewest: () => ReturnType<Store['get']>,
): Promise<Decided> {
  let decided: Decided | undefined
  let refusal: ApiError | undefined
  try {
    decided = await on(guess)
    if (decided.decision.write) return decided
  } catch (error) {
    // Any other failure does not depend on the state.
    if (!(error instanceof ApiError)) throw error
    refusal = error
  }
  const newest = await readNewest()
  if (newest?.modRevision !== guess.modRevision) return on(newest)
  if (!decided) throw refusal
  return decided
}

const resultOf = (result: WriteResult): TransactionResult =>
  result.ok ? { ok: true, isWritten: true, revision: result.revision, body: result.body } : result

const keptResult = (found: StoredObject | undefined): TransactionResult => ({
  ok: true,
  isWritten: false,
  revision: found?.modRevision ?? 0,
  body: found?.body,
})

/** Nothing to write beside the pending write: its result is the answer. */
const unchangedResult = ({ result }: PendingWrite): Promise<Outcome> =>
  result.then(({ ok, ...written }) => (ok ? ({ ok, isWritten: false, ...written } as TransactionResult) : undefined))
