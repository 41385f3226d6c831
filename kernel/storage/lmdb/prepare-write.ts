import { type Revision, StorageError, type StoreEvent, type StoreEventType, type Write } from 'orch/sdk/host'
import {
  attributesOf,
  bodyOf,
  encodeEntry,
  encodeRecord,
  modRevisionOf,
  pastKey,
  previousOf,
  restampRecord,
  revisionLength,
  writeRevision,
} from '../revision.js'
import type { Environment } from './environment.js'

/** A prepared write: all bytes are encoded, so that applying it consists of puts only. */
export interface PreparedWrite {
  readonly revision: Revision
  readonly type: StoreEventType
  readonly key: string
  /** The new record of the key; undefined removes it. */
  readonly record: Buffer | undefined
  /** What the event shows. */
  readonly shown: Buffer
  readonly entry: Buffer
  readonly previous: Buffer | undefined
}

/** Twice this, a key and headers fit the 16 MiB that lmdb reads without reallocating. */
const maxBodyBytes = 7 * 2 ** 20

export function checkBodySize(key: string, body: Buffer | undefined): void {
  if (body === undefined || body.length <= maxBodyBytes) return
  throw new StorageError('tooLarge', `the object ${key} is larger than ${maxBodyBytes} bytes`)
}

const noAttributes = Buffer.alloc(0)

/** `stored` may be a buffer that the next read overwrites: it is copied here. */
export function prepareWrite(
  write: Pick<Write, 'key' | 'body' | 'lastBody' | 'attributes'>,
  stored: Buffer | undefined,
  revision: Revision,
  time: number,
): PreparedWrite {
  const { key, body, lastBody, attributes } = write
  if (body !== undefined) {
    const type = stored === undefined ? 'create' : 'update'
    const record = encodeRecord(body, attributes ?? noAttributes, revision)
    const entry = encodeEntry(type, key, time, stored, undefined)
    return { revision, type, key, record, shown: record, entry, previous: previousOf(entry) }
  }
  if (stored === undefined) throw new Error(`delete of the absent key ${key}`)
  const last = lastBody && encodeRecord(lastBody, attributes ?? attributesOf(stored), revision)
  const shown = last ?? restampRecord(stored, revision)
  const entry = encodeEntry('delete', key, time, stored, last)
  const previous = previousOf(entry)
  return { revision, type: 'delete', key, record: undefined, shown, entry, previous }
}

const append = { append: true }
const superseded = (revision: Revision): Buffer => {
  const bytes = Buffer.allocUnsafe(revisionLength)
  writeRevision(bytes, revision, 0)
  return bytes
}

/** Only inside a transaction: nothing but puts. */
export function applyWrite({ current, log, past }: Environment, write: PreparedWrite): void {
  const { key, revision, previous, record, entry } = write
  // Fails without an error when the revision is not the newest: then something else wrote the log.
  if (!(log.putSync(revision, entry, append) as unknown as boolean)) {
    throw new StorageError('corrupt', `revision ${revision} is already in the log`)
  }
  if (previous !== undefined) past.putSync(pastKey(key, revision), superseded(modRevisionOf(previous)))
  if (record !== undefined) current.putSync(key, record)
  else current.removeSync(key)
}

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
