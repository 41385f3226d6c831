import type { Revision, StoreEvent, StoreEventType } from 'orch/sdk/host'
import { attributesOf, bodyOf } from '../revision.js'

/** An event made of the record after the write (on delete: the last one) and the record before it. */
export class CommittedEvent implements StoreEvent {
  readonly revision: Revision
  readonly type: StoreEventType
  readonly key: string
  readonly body: Buffer
  readonly attributes: Buffer
  readonly previousAttributes: Buffer | undefined
  readonly #previous: Buffer | undefined

  constructor(revision: Revision, type: StoreEventType, key: string, record: Buffer, previous: Buffer | undefined) {
    this.revision = revision
    this.type = type
    this.key = key
    this.body = bodyOf(record)
    this.attributes = attributesOf(record)
    this.previousAttributes = previous && attributesOf(previous)
    this.#previous = previous
  }

  previousBody(): Buffer | undefined {
    return this.#previous && bodyOf(this.#previous)
  }
}
