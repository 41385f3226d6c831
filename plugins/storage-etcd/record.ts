/**
 * The encoding of values, defined only here:
 *
 *   [kind 1][write id 8][length of attributes 4][attributes][body without resourceVersion]
 *
 * The write id is unique: after a broken connection a writer recognizes its own write by it. Values under state/last are records,
 * too; their kind says which part of the deleted object they replace.
 */
import { randomBytes } from 'node:crypto'
import { bodyPrefix, type Revision, StorageError, type StoredObject } from 'orch/sdk/host'

const kinds = { object: 1, lastBody: 2, lastBodyOnly: 3, storedBody: 4 } as const
const header = 13
const closingBrace = 0x7d
const prefixBytes = Buffer.from(bodyPrefix)
const nothing = Buffer.alloc(0)

/** A string, so that it can be the key of a map. */
export type WriteId = string
const idPrefix = randomBytes(4).toString('latin1')
let ids = 0
export function newWriteId(): WriteId {
  const number = Buffer.allocUnsafe(4)
  number.writeUInt32BE(ids++ >>> 0)
  return idPrefix + number.toString('latin1')
}

function encode(kind: number, id: WriteId, attributes: Buffer, body: Buffer): Buffer {
  const record = Buffer.allocUnsafe(header + attributes.length + body.length)
  record[0] = kind
  record.write(id, 1, 'latin1')
  record.writeUInt32BE(attributes.length, 9)
  record.set(attributes, header)
  record.set(body, header + attributes.length)
  return record
}
export const encodeObject = (id: WriteId, body: Buffer, attributes: Buffer = nothing): Buffer =>
  encode(kinds.object, id, attributes, body)
/** Encodes the last state of a deleted object: the stored object, or another body with other or the stored attributes. */
export function encodeLast(id: WriteId, lastBody: Buffer | undefined, attributes: Buffer | undefined): Buffer {
  if (lastBody === undefined) return encode(kinds.storedBody, id, nothing, nothing)
  if (attributes === undefined) return encode(kinds.lastBodyOnly, id, nothing, lastBody)
  return encode(kinds.lastBody, id, attributes, lastBody)
}

/** Whether the bytes can be stored as a body. The engine relies only on this prefix. */
export const isBody = (body: Buffer): boolean =>
  body.length > prefixBytes.length && body.compare(prefixBytes, 0, prefixBytes.length, 0, prefixBytes.length) === 0

export const writeIdOf = (record: Buffer): WriteId => record.toString('latin1', 1, 9)
const bodyStartOf = (record: Buffer): number => {
  const kind = record[0] ?? 0
  const start = record.length < header ? record.length : header + record.readUInt32BE(9)
  if (kind < kinds.object || kind > kinds.storedBody || start > record.length || record.length < header) {
    throw new StorageError('corrupt', 'etcd holds a value under this prefix that this engine did not write')
  }
  return start
}
export const attributesOf = (record: Buffer): Buffer => record.subarray(header, bodyStartOf(record))

/** The body as it was written. */
export const plainBodyOf = (record: Buffer): Buffer => record.subarray(bodyStartOf(record))

const versionText = (revision: Revision, isLast: boolean): string =>
  `"resourceVersion":"${revision}"${isLast ? '' : ','}`

/** The length of a body with its resourceVersion, and a function that writes it into a larger buffer. */
export function shownBody(
  record: Buffer,
  revision: Revision,
  bodyStart = bodyStartOf(record),
): { length: number; into(target: Buffer, at: number): void } {
  const rest = bodyStart + prefixBytes.length
  const version = versionText(revision, record[rest] === closingBrace)
  return {
    length: prefixBytes.length + version.length + record.length - rest,
    into(target, at) {
      target.set(prefixBytes, at)
      target.write(version, at + prefixBytes.length, 'latin1')
      record.copy(target, at + prefixBytes.length + version.length, rest)
    },
  }
}
export function bodyOf(record: Buffer, revision: Revision, bodyStart?: number): Buffer {
  const shown = shownBody(record, revision, bodyStart)
  const body = Buffer.allocUnsafe(shown.length)
  shown.into(body, 0)
  return body
}
/** A body as it was written, with its resourceVersion. */
export const withVersion = (body: Buffer, revision: Revision): Buffer => bodyOf(body, revision, 0)
/** Attributes are copied: a view would retain the whole message that they arrived in. */
export const storedObject = (key: string, record: Buffer, modRevision: Revision): StoredObject => ({
  key,
  modRevision,
  body: bodyOf(record, modRevision),
  attributes: Buffer.from(attributesOf(record)),
})

/** The record that a delete event shows. */
export function shownByDelete(stored: Buffer, last: Buffer | undefined): Buffer {
  if (last === undefined || last[0] === kinds.storedBody) return stored
  if (last[0] === kinds.lastBody) return last
  return encode(kinds.lastBody, writeIdOf(last), attributesOf(stored), last.subarray(bodyStartOf(last)))
}
