import { type Revision, ShortLivedEntries, StorageError, type Write, type WriteResult } from 'orch/sdk/host'
import type { Connection } from './connection.js'
import { isNoSpace, isOutage, storageErrorFrom } from './etcd-errors.js'
import type { EventTail } from './event-tail.js'
import type { KeyLayout } from './key-layout.js'
import {
  type Compare,
  compareResult,
  compareTarget,
  headerRevision,
  methods,
  type RequestOp,
  type TxnRequest,
  type TxnResponse,
  toNumber,
} from './protocol.js'
import { encodeLast, encodeObject, isBody, newWriteId, storedObject, type WriteId, withVersion } from './record.js'
import type { StoredEvent } from './stored-event.js'

export interface WriterOptions {
  readonly connection: Connection
  readonly layout: KeyLayout
  readonly tail: EventTail
  readonly warn: (message: string) => void
  readonly seen: (revision: Revision) => void
}

/** The limit of the other engines, so that data can be moved between them. */
const maxKeyBytes = 1900
/** How long a committed write waits for its event, and how long one of unknown outcome does. */
const ownEventMs = 20_000
const signMs = 5000

/** The outcome of a write that a later one may build on. Stored on the write itself, as in the embedded store. */
const outcome = Symbol('outcome')
interface Handed extends Write {
  [outcome]?: Promise<WriteResult>
}
/** No key ever has this revision, so a write that builds on one of unknown outcome fails. */
const noRevision: Revision = -1

/**
 * Writes one key per transaction and resolves when its event has arrived through the watch. A write that builds on an earlier one
 * is sent as soon as the revision of that one is known. They cannot share a transaction: etcd accepts a key only once in each, and
 * assigns the same revision to all of its keys, so that a watch that breaks between their events could not resume.
 */
export class Writer {
  readonly #options: WriterOptions
  /** The newest pending write of every key. */
  readonly #newest = new ShortLivedEntries<Promise<WriteResult>>()

  constructor(options: WriterOptions) {
    this.#options = options
  }

  async write(write: Write): Promise<WriteResult> {
    checkWrite(write)
    const committing = this.#inLine(write)
    ;(write as Handed)[outcome] = committing
    const result = await committing
    if (!result.ok) return result
    if (!(await this.#options.tail.reached(result.revision, ownEventMs))) {
      throw new StorageError('unavailable', `written at revision ${result.revision}, but the watch has not reported it`)
    }
    this.#options.seen(result.revision)
    return result
  }

  /** Sends a write after earlier writes of the same key, since etcd might execute them in another order. */
  #inLine(write: Write): Promise<WriteResult> {
    const { key } = write
    const before = this.#newest.get(key)
    const committing = before || write.after ? this.#sendLater(write, before) : this.#send(write)
    this.#newest.set(key, committing)
    const forget = () => this.#newest.delete(key, committing)
    committing.then(forget, forget)
    return committing
  }
  async #sendLater(write: Write, before: Promise<unknown> | undefined): Promise<WriteResult> {
    await before?.catch(() => {})
    if (write.after === undefined) return await this.#send(write)
    const earlier = await (write.after as Handed)[outcome]?.catch(() => undefined)
    if (earlier?.ok === false) return earlier
    return await this.#send({ ...write, expect: earlier?.revision ?? noRevision })
  }

  async #send(write: Write): Promise<WriteResult> {
    const id = newWriteId()
    const since = this.#options.tail.delivered
    try {
      return await this.#commit(write, id, this.#transaction(write, id, true))
    } catch (error) {
      if (isNoSpace(error) && write.body === undefined) return await this.#deleteWithoutRoom(write, id)
      if (!isOutage(error)) throw storageErrorFrom(error)
      return await this.#clearUp(write, id, since, error)
    }
  }

  async #commit(write: Write, id: WriteId, request: TxnRequest): Promise<WriteResult> {
    const { connection } = this.#options
    return await this.#resultOf(write, id, await connection.askOnce(methods.txn, request, write.traceHeaders))
  }

  async #resultOf(write: Write, id: WriteId, response: TxnResponse): Promise<WriteResult> {
    const { seen, connection } = this.#options
    const revision = headerRevision(response)
    if (response.succeeded) return { ok: true, revision, body: write.body && withVersion(write.body, revision) }
    seen(revision)
    const failure = this.#failureOf(write, response)
    if (failure.claimed === undefined) return failure
    const left = this.#leftClaims(write, response)
    const again = await connection.askOnce(methods.txn, this.#transaction(write, id, true, left))
    return again.succeeded ? await this.#resultOf(write, id, again) : this.#failureOf(write, again)
  }

  /**
   * Determines the outcome of a write without a response: it may have been executed, may still be, or not at all. A write that
   * expects a revision is sent again with the same id: whichever is executed first makes the other fail, because that revision never
   * recurs. The current state or the watch then shows which one it was. Other writes are not sent again: if the created object was
   * deleted meanwhile, it would be created twice. For those only the watch shows the outcome.
   */
  async #clearUp(write: Write, id: WriteId, since: Revision, error: unknown): Promise<WriteResult> {
    const { connection, tail } = this.#options
    try {
      if (!write.expect) {
        const event = await this.#signOf(id, since)
        if (event === undefined) throw error
        return { ok: true, revision: event.revision, body: write.body && event.body }
      }
      const response = await connection.ask(methods.txn, this.#transaction(write, id, true))
      const result = await this.#resultOf(write, id, response)
      if (result.ok) return result
      // If the first one was executed, its event is not newer than the current state.
      const isToldOf = result.current !== undefined && (await tail.reached(result.current.modRevision, signMs))
      const event = await tail.eventOf(id, since, isToldOf ? 0 : signMs)
      if (event !== undefined) return { ok: true, revision: event.revision, body: write.body && event.body }
      if (isToldOf) return result
    } catch (again) {
      throw storageErrorFrom(again)
    }
    throw storageErrorFrom(error)
  }

  /** The event of a write, if it was executed before this call. */
  async #signOf(id: WriteId, since: Revision): Promise<StoredEvent | undefined> {
    const { connection, tail, layout } = this.#options
    const now = await connection.ask(methods.range, { key: layout.last, countOnly: true })
    await tail.reached(headerRevision(now), signMs)
    return tail.eventOf(id, since, 0)
  }

  /** After its quota is exceeded etcd accepts only plain deletes; the event then shows the object as it was stored. */
  async #deleteWithoutRoom(write: Write, id: WriteId): Promise<WriteResult> {
    this.#options.warn('etcd has exceeded its quota: only deletes are possible')
    try {
      return await this.#commit(write, id, this.#transaction(write, id, false))
    } catch (error) {
      throw storageErrorFrom(error)
    }
  }

  /** `left` are claims of deleted keys, which are taken over unless another write does so first. */
  #transaction(write: Write, id: WriteId, hasRoom: boolean, left: LeftClaims = new Map()): TxnRequest {
    const { key: name, body, attributes, lastBody, expect, claims } = write
    const { layout } = this.#options
    const key = layout.objectKey(name)
    const success: RequestOp[] = []
    const taken = (claims?.take ?? []).map(layout.claimKey)
    for (const claim of taken) success.push({ requestPut: { key: claim, value: Buffer.from(name) } })
    for (const each of claims?.release ?? []) success.push({ requestDeleteRange: { key: layout.claimKey(each) } })
    if (body !== undefined) success.push({ requestPut: { key, value: encodeObject(id, body, attributes) } })
    else {
      // Before the delete, because events have the order of operations.
      if (hasRoom) success.push({ requestPut: { key: layout.last, value: encodeLast(id, lastBody, attributes) } })
      success.push({ requestDeleteRange: { key } })
    }
    const free = (claims?.take ?? []).flatMap(each => freeClaim(layout, each, name, left.get(each)))
    return {
      compare: [...guards(key, expect, body === undefined), ...free],
      success,
      failure: [key, ...taken].map(each => ({ requestRange: { key: each } })),
    }
  }

  /** Why a write failed: its key does not have the expected revision, or another key has claimed a name. */
  #failureOf({ key, expect, claims }: Write, { responses }: TxnResponse): WriteResult & { ok: false } {
    const found = responses[0]?.responseRange?.kvs[0]
    const current = found && storedObject(key, found.value, toNumber(found.modRevision))
    const isAsExpected = expect === undefined || (current?.modRevision ?? 0) === expect
    const claimed = claims?.take.find((_, i) => (responses[i + 1]?.responseRange?.kvs.length ?? 0) > 0)
    return { ok: false, current, ...(isAsExpected && claimed !== undefined ? { claimed } : {}) }
  }

  /** The owners of the names that a write claims. They may be gone, if keys were deleted without releasing their claims. */
  #leftClaims({ claims }: Write, { responses }: TxnResponse): LeftClaims {
    const left = new Map<string, LeftClaim>()
    for (const [i, name] of (claims?.take ?? []).entries()) {
      const found = responses[i + 1]?.responseRange?.kvs[0]
      if (found) left.set(name, { owner: found.value.toString(), revision: toNumber(found.modRevision) })
    }
    return left
  }
}

interface LeftClaim {
  readonly owner: string
  readonly revision: Revision
}
type LeftClaims = ReadonlyMap<string, LeftClaim>

/** The condition that a name is unclaimed, or that its owner is gone or is the claimant itself. */
function freeClaim(layout: KeyLayout, name: string, taker: string, left: LeftClaim | undefined): Compare[] {
  const { equal } = compareResult
  const { create, mod } = compareTarget
  const key = layout.claimKey(name)
  if (!left) return [{ key, result: equal, target: create, createRevision: 0 }]
  const isAsSeen: Compare = { key, result: equal, target: mod, modRevision: left.revision }
  if (left.owner === taker) return [isAsSeen]
  return [isAsSeen, { key: layout.objectKey(left.owner), result: equal, target: create, createRevision: 0 }]
}

function guards(key: Buffer, expect: Revision | undefined, isDelete: boolean): Compare[] {
  const { equal, greater } = compareResult
  const { create, mod } = compareTarget
  const exists: Compare = { key, result: greater, target: create, createRevision: 0 }
  if (expect === undefined) return isDelete ? [exists] : []
  const expected: Compare =
    expect === 0
      ? { key, result: equal, target: create, createRevision: 0 }
      : { key, result: equal, target: mod, modRevision: expect }
  return isDelete ? [expected, exists] : [expected]
}

function checkWrite({ key, body, lastBody }: Write): void {
  if (key === '' || key.includes('\x00')) throw new Error('a key must not be empty or contain the character 0')
  if (Buffer.byteLength(key) > maxKeyBytes) {
    throw new StorageError('tooLarge', `the key is longer than ${maxKeyBytes} bytes`)
  }
  for (const bytes of [body, lastBody]) {
    if (bytes !== undefined && !isBody(bytes)) throw new Error(`the body of ${key} does not begin with its metadata`)
  }
}
