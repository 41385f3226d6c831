import { type Revision, StorageError, type Write, type WriteResult } from 'orch/sdk/host'
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

/** As long as other engines allow, so that stores can be moved. */
const maxKeyBytes = 1900
/** How long a committed write waits for its own event, and an uncertain one for a sign of having happened. */
const ownEventMs = 20_000
const signMs = 5000

/** What became of a write that a later one may build on. Kept on it, as the embedded store does. */
const outcome = Symbol('outcome')
interface Handed extends Write {
  [outcome]?: Promise<WriteResult>
}
/** No key ever has this revision: what builds on a write of which nothing is known fails. */
const noRevision: Revision = -1

/**
 * Writes one key in one transaction, and answers when the event has come back through the watch. A write that builds on an earlier
 * one goes out as soon as the revision of that is known. They cannot share a transaction: etcd takes a key only once in one, and
 * gives all keys of one the same revision, after which a watch that ends between their events could not go on.
 */
export class Writer {
  readonly #options: WriterOptions
  /** The newest write of every key that etcd has not answered yet. */
  readonly #newest = new Map<string, Promise<WriteResult>>()

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
      throw new StorageError('unavailable', `written at revision ${result.revision}, but the watch has not told of it`)
    }
    this.#options.seen(result.revision)
    return result
  }

  /** After the writes of this key that were handed in before: etcd might take them in another order. */
  #inLine(write: Write): Promise<WriteResult> {
    const { key } = write
    const before = this.#newest.get(key)
    const committing = before || write.after ? this.#sendLater(write, before) : this.#send(write)
    this.#newest.set(key, committing)
    const forget = () => {
      if (this.#newest.get(key) === committing) this.#newest.delete(key)
    }
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
   * No answer came: the write may have happened, may still happen, or not. One that replaces a version is sent again, under
   * the same id: whichever comes first makes the other fail, for that version never comes again. Then the newest state, or
   * the watch, tells whose it was. Others are not: somebody may have deleted meanwhile what a create made, and it would be
   * made twice. For those only the watch can tell.
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
      // If the first one happened, its event is older than what is there now, or is that.
      const isToldOf = result.current !== undefined && (await tail.reached(result.current.modRevision, signMs))
      const event = await tail.eventOf(id, since, isToldOf ? 0 : signMs)
      if (event !== undefined) return { ok: true, revision: event.revision, body: write.body && event.body }
      if (isToldOf) return result
    } catch (again) {
      throw storageErrorFrom(again)
    }
    throw storageErrorFrom(error)
  }

  /** The event of a write, if it happened before this was asked. */
  async #signOf(id: WriteId, since: Revision): Promise<StoredEvent | undefined> {
    const { connection, tail, layout } = this.#options
    const now = await connection.ask(methods.range, { key: layout.last, countOnly: true })
    await tail.reached(headerRevision(now), signMs)
    return tail.eventOf(id, since, 0)
  }

  /** With its quota used up etcd takes nothing but plain deletes: the event then shows the object as it was stored. */
  async #deleteWithoutRoom(write: Write, id: WriteId): Promise<WriteResult> {
    this.#options.warn('etcd has used up its quota: only deletes are possible')
    try {
      return await this.#commit(write, id, this.#transaction(write, id, false))
    } catch (error) {
      throw storageErrorFrom(error)
    }
  }

  /** `left` are names of keys that are gone: they are taken if nobody else was faster. */
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
      // Before the delete, as events come in this order.
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

  /** Why a write failed: its key is not as expected, or else another key has a name that it takes. */
  #failureOf({ key, expect, claims }: Write, { responses }: TxnResponse): WriteResult & { ok: false } {
    const found = responses[0]?.responseRange?.kvs[0]
    const current = found && storedObject(key, found.value, toNumber(found.modRevision))
    const isAsExpected = expect === undefined || (current?.modRevision ?? 0) === expect
    const claimed = claims?.take.find((_, i) => (responses[i + 1]?.responseRange?.kvs.length ?? 0) > 0)
    return { ok: false, current, ...(isAsExpected && claimed !== undefined ? { claimed } : {}) }
  }

  /** Who has the names that a write takes: keys that may be gone, if somebody removed them without their names. */
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

/** Nobody has this name, or whoever had it is gone or is the one that takes it. */
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
  if (key === '' || key.includes('\x00')) throw new Error('a key must not be empty or hold the character 0')
  if (Buffer.byteLength(key) > maxKeyBytes) {
    throw new StorageError('tooLarge', `the key is longer than ${maxKeyBytes} bytes`)
  }
  for (const bytes of [body, lastBody]) {
    if (bytes !== undefined && !isBody(bytes)) throw new Error(`the body of ${key} does not begin with its metadata`)
  }
}
