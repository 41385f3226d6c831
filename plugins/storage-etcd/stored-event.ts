import type { ReplicatedChange, Revision, StoredObject, StoreEvent, StoreEventType } from 'orch/sdk/host'
import type { KeyLayout } from './key-layout.js'
import { deleteEvent, type EtcdEvent, toNumber } from './protocol.js'
import { attributesOf, bodyOf, plainBodyOf, shownByDelete, storedObject, type WriteId, writeIdOf } from './record.js'

const unknownWriter = ''

/** An event of the watch. Bodies get their resourceVersion on access. */
export class StoredEvent implements StoreEvent {
  readonly revision: Revision
  readonly type: StoreEventType
  readonly key: string
  /** The id of the write. Unknown for deletes that could not store one because the quota was exceeded. */
  readonly writeId: WriteId
  readonly #shown: Buffer
  readonly #previous: Buffer | undefined
  readonly #previousRevision: Revision
  #body: Buffer | undefined

  constructor(event: EtcdEvent, key: string, last: Buffer | undefined) {
    const { kv, prevKv } = event
    const isDelete = event.type === deleteEvent
    this.revision = toNumber(kv.modRevision)
    this.key = key
    this.type = isDelete ? 'delete' : toNumber(kv.createRevision) === this.revision ? 'create' : 'update'
    this.#previous = this.type === 'create' ? undefined : prevKv?.value
    this.#previousRevision = prevKv ? toNumber(prevKv.modRevision) : 0
    this.#shown = isDelete ? shownByDelete(prevKv?.value ?? Buffer.alloc(0), last) : kv.value
    this.writeId = isDelete ? (last ? writeIdOf(last) : unknownWriter) : writeIdOf(kv.value)
  }

  get body(): Buffer {
    this.#body ??= bodyOf(this.#shown, this.revision)
    return this.#body
  }
  get attributes(): Buffer {
    return attributesOf(this.#shown)
  }
  get previousAttributes(): Buffer | undefined {
    return this.#previous && attributesOf(this.#previous)
  }
  previousBody(): Buffer | undefined {
    return this.#previous && bodyOf(this.#previous, this.#previousRevision)
  }
  /** The object after the event, as a copy; undefined if it was deleted. */
  object(): StoredObject | undefined {
    return this.type === 'delete' ? undefined : storedObject(this.key, this.#shown, this.revision)
  }
  /** The event as a change of a replica. */
  change(): ReplicatedChange {
    const { key, revision, type } = this
    // While history is being compacted, a watch may lack the previous value.
    const isKnown = type === 'create' || this.#previous !== undefined
    const replaces = isKnown ? { replaces: this.#previousRevision } : {}
    if (type === 'delete' && this.#shown === this.#previous) return { key, revision, body: undefined, ...replaces }
    const body = plainBodyOf(this.#shown)
    const { attributes } = this
    if (type === 'delete') return { key, revision, body: undefined, lastBody: body, attributes, ...replaces }
    return { key, revision, body, attributes, ...replaces }
  }
  /** The approximate memory usage. */
  get bytes(): number {
    return 2 * this.#shown.length + (this.#previous?.length ?? 0) + 200
  }
}

/** The events of objects among those of a watch. The last state of a deleted object comes right before its delete, at the same revision. */
export function storedEvents(events: readonly EtcdEvent[], layout: KeyLayout): StoredEvent[] {
  const stored: StoredEvent[] = []
  let last: EtcdEvent | undefined
  for (const event of events) {
    if (event.kv.key.equals(layout.last)) {
      last = event
      continue
    }
    const key = layout.keyOf(event.kv.key)
    if (key === undefined) continue
    const belongs = last !== undefined && toNumber(last.kv.modRevision) === toNumber(event.kv.modRevision)
    stored.push(new StoredEvent(event, key, belongs ? last?.kv.value : undefined))
  }
  return stored
}
